import Foundation
import Momtool
import TestSupport
import Testing

/// What code of an app decides about its stores: whether they are mirrored, and what old rows lack.
struct AppCodeTests {
    private static let own = "let d = NSPersistentStoreDescription(url: u)"
    private static let replaced = "c.persistentStoreDescriptions = [d]"
    private static let removed =
        "c.persistentStoreDescriptions.first!.cloudKitContainerOptions = nil"
    private static let options =
        "d.cloudKitContainerOptions = NSPersistentCloudKitContainerOptions(i)"

    /// What an app does with its mirroring container, and whether the store is mirrored.
    static let containers: [(lines: [String], isMirrored: Bool)] = [
        ([], true), ([own, replaced], false), ([own, options, replaced], true),
        ([own, replaced, options], true), ([removed], false),
        (["if !isOn { \(removed) }"], true), (["if !isOn {", removed, "}"], true),
        (["if isTest {", own, replaced, "}"], true),
        (["if isOn { return }", removed], true), (["#if os(tvOS)", removed, "#endif"], true),
        (["let d = c.persistentStoreDescriptions[0]", own, replaced], true),
        (["func stop() {", removed, "}"], true),
        ([removed, "let o = NSPersistentCloudKitContainer(name: \"M\")"], true),
    ]

    @Test(arguments: containers)
    func `a container without options of CloudKit mirrors nothing`(
        _ lines: [String],
        _ isMirrored: Bool
    ) throws {
        try withFolder { folder in
            try makeRepository(folder)
            let entity = "<entity name='A'><attribute name='a' attributeType='String'/></entity>"
            try writeBundle(["<model>\(entity)</model>"], "M.xcdatamodeld", in: folder)
            let made = "let c = NSPersistentCloudKitContainer(name: \"M\")"
            let code = ([made] + lines).joined(separator: "\n")
            try write(code + "\n", "App/Stack.swift", in: folder)
            let said = try momtool(["lint", "M.xcdatamodeld"], in: folder)
            let isFound = said.output.contains("[cloudkit-mandatory-attribute]")
            #expect(isFound == isMirrored, "\(said.output)")
        }
    }

    /// A property of a class, what its file has besides, and whether old rows lack a value that it needs.
    static let properties: [(type: String, more: String, isFound: Bool)] = [
        ("UUID", "", true), ("UUID?", "", false), ("UUID!", "", false),
        ("String", "", false),
        ("UUID", "extension A { @NSManaged var id: UUID? }", false),
        ("UUID }\nclass B {", "", true), ("UUID? }\nclass B {", "", false),
        ("UUID; @NSManaged var b: Date? }\nclass B {", "", true),
        ("Foundation.UUID", "", true),
        ("UUID; override func awakeFromFetch() { id = UUID() }", "", false),
    ]

    @Test(arguments: properties)
    func `a new attribute that a class declares as not optional has no value in old rows`(
        _ type: String,
        _ more: String,
        _ isFound: Bool
    ) throws {
        try withFolder { folder in
            try makeRepository(folder)
            let old =
                "<entity name='A' representedClassName='.A'>"
                + "<attribute name='a' optional='YES' attributeType='String'/>"
            let new = "<attribute name='id' optional='YES' attributeType='UUID'/>"
            let models = [old, old + new].map { "<model>\($0)</entity></model>" }
            try writeBundle(models, "M.xcdatamodeld", in: folder)
            let text =
                "public class A: NSManagedObject {\n class func all() {}\n @NSManaged public var id: \(type)\n}"
            try write("\(text)\n\(more)\n", "App/A.swift", in: folder)
            let status: Int32 = isFound ? 1 : 0
            let check = try momtool(["check"], in: folder)
            #expect(check.output.contains("[missing-swift-value]") == isFound, "\(check.output)")
            try write(#"{"A": [{"a": "x"}]}"#, "r.json", in: folder)
            let create = "create S --model M.xcdatamodeld --version V1 --rows r.json"
            try expectRun(create, in: folder, 0)
            let plan = try expectRun("plan M.xcdatamodeld --store S", in: folder, status)
            #expect(plan.output.contains("A.id: 1 row: NULL") == isFound, "\(plan.output)")
            try expectRun("migrate S --model M.xcdatamodeld -o O", in: folder, 0)
            try expectRun("verify O --model M.xcdatamodeld --validate", in: folder, status)
            try expectRun("verify O --model M.xcdatamodeld", in: folder, 0)
            try writeMapping(
                of: ["a": "$source.a"],
                from: Model(folder.appending(path: "M.xcdatamodeld").path).version("V1").model,
                to: Model(folder.appending(path: "M.xcdatamodeld").path).version("V2").model,
                at: folder.appending(path: "One.cdm")
            )
            let mapped = try momtool(["check"], in: folder)
            #expect(!mapped.output.contains("[missing-swift-value]"), "\(mapped.output)")
        }
    }

    /// The lists of a target of Tuist, and whether it leaves out the model that the code loads.
    static let lists: [(text: String, isFound: Bool)] = [
        ("sources: [\"App/**\"]", true), ("sources: [\"**\"]", false),
        ("sources: [\"App/**\"], resources: [\"Models/**\"]", false),
        ("sources: [\"App/**\"], buildableFolders: [\"Models\"]", false),
        ("sources: sources", false),
        (
            "sources: [\"App/**\"], coreDataModels: [.coreDataModel(\"Models/M.xcdatamodeld\")]",
            false
        ),
    ]

    @Test(arguments: lists)
    func `a model that no list of Tuist has is not in the app`(_ text: String, _ isFound: Bool)
        throws
    {
        try withFolder { folder in
            try makeRepository(folder)
            try writeBundle([textModel("A", ["a"])], "Models/M.xcdatamodeld", in: folder)
            try write("let c = NSPersistentContainer(name: \"M\")\n", "App/S.swift", in: folder)
            let project =
                "import ProjectDescription\nlet p = Project(targets: [.target(\(text))])\n"
            try write(project, "Project.swift", in: folder)
            let check = try expectRun("check", in: folder, isFound ? 1 : 0)
            #expect(check.output.contains("[model-not-in-target]") == isFound, "\(check.output)")
        }
    }
}

import Foundation
import TestSupport
import Testing

/// What commands answer about an app whose code, project or stages file is at fault.
struct AppAgreementTests {
    private func inApp(_ versions: [[String]] = [["a"], ["a", "b"]], _ body: (URL) throws -> Void)
        throws
    {
        try withFolder { folder in
            try writeBundle(versions.map { textModel("A", $0) }, "App/M.xcdatamodeld", in: folder)
            try makeRepository(folder)
            try body(folder)
        }
    }

    private func writeStore(in folder: URL) throws {
        try write(#"{"A": [{"a": "x"}]}"#, "rows.json", in: folder)
        let model = "--model App/M.xcdatamodeld --version V1"
        try expectRun("create S.sqlite \(model) --rows rows.json", in: folder, 0)
    }

    @Test(arguments: [
        ("App/A.swift", "d.shouldInferMappingModelAutomatically = false", true),
        ("Kit/A.swift", "d.shouldMigrateStoreAutomatically = false", false),
        ("Base/A.swift", "d.shouldInferMappingModelAutomatically = false", true),
        ("Base/A.swift", "open(\"Own\")\nd.shouldInferMappingModelAutomatically = false", false),
        ("App/A.swift", "let name = \"Cache\"\nd.shouldMigrateStoreAutomatically = false", false),
    ])
    func `code that stops migrations is found for its models`(
        _ path: String,
        _ text: String,
        _ isFound: Bool
    ) throws {
        try inApp { folder in
            try writeBundle([textModel("B", ["b"])], "Kit/Cache.xcdatamodeld", in: folder)
            try write("", "Kit/Package.swift", in: folder)
            try writeBundle([textModel("C", ["c"])], "Base/Own.xcdatamodeld", in: folder)
            try write("", "Base/Package.swift", in: folder)
            try write("import Base\n", "App/Main.swift", in: folder)
            try write(text, path, in: folder)
            try writeStore(in: folder)
            for command in ["check", "doctor S.sqlite --model App/M.xcdatamodeld"] {
                let said = try momtool(command, in: folder).output
                #expect(said.contains("[migration-off]") == isFound, "\(said)")
                #expect(said.contains("(134140)") == isFound, "\(said)")
            }
        }
    }

    private static let mapping = """
        <database><object type='XDDEVMAPPINGMODEL' id='z1'>
        <attribute name='sourcemodelpath' type='string'>App/M.xcdatamodeld/V1.xcdatamodel</attribute>
        <attribute name='destinationmodelpath' type='string'>App/M.xcdatamodeld/V2.xcdatamodel</attribute>
        <relationship name='entitymappings' destination='XDDEVENTITYMAPPING' idrefs='z2'/></object>
        <object type='XDDEVENTITYMAPPING' id='z2'><attribute name='sourcename' type='string'>A</attribute>
        <attribute name='destinationname' type='string'>A</attribute>
        <attribute name='mappingnumber' type='int16'>1</attribute>
        <relationship name='mappingmodel' destination='XDDEVMAPPINGMODEL' idrefs='z1'/></object></database>
        """

    @Test(
        arguments: [
            ("One.xcmappingmodel", 1), ("Maps", 0), ("One.xcmappingmodel\", \"M.xcdatamodeld", 0),
        ] as [(String, Int32)]
    )
    func `a mapping model that a package excludes is a warning`(name: String, status: Int32) throws
    {
        try inApp { folder in
            try write(Self.mapping, "App/One.xcmappingmodel/xcmapping.xml", in: folder)
            let target = ".target(name: \"Kit\", path: \"App\",\n  exclude: [\"\(name)\"])"
            try write("let p = Package(targets: [\(target)])\n", "Package.swift", in: folder)
            for command in ["check", "lint App/M.xcdatamodeld"] {
                let said = try expectRun(command, in: folder, status).output
                #expect(said.contains("Package.swift:2: warning: ") == (status == 1), "\(said)")
                #expect(said.contains("[model-not-in-target]") == (status == 1), "\(said)")
            }
        }
    }

    @Test(arguments: [
        ("{A: {sources: [App, Mac]}}", "Mac", true), ("{A: {sources: [App]}}", "Mac", false),
        ("{A: {sources: [App]}, B: {sources: [Mac]}}", "Mac", false),
        ("{A: {sources: [App/S.swift]}, B: {sources: [App/P.swift]}}", "App", false),
    ])
    func `Core Data and SwiftData share a file in one target`(
        targets: String,
        place: String,
        isFound: Bool
    ) throws {
        try inApp([["a"]]) { folder in
            let source = """
                import SwiftData
                @Model final class A { var a: Int?; init() {} }
                let u = URL.applicationSupportDirectory.appending(path: "M.sqlite")
                let c = try! ModelContainer(for: A.self, configurations: ModelConfiguration(url: u))
                """
            try write(source, "App/S.swift", in: folder)
            let code = "let p = NSPersistentContainer(name: \"M\")\n"
            try write(code, "\(place)/P.swift", in: folder)
            try write("targets: \(targets)\n", "project.yml", in: folder)
            for command in ["check", "lint .", "lint App/S.swift"] {
                let said = try momtool(command, in: folder).output
                #expect(said.contains("[container-drops-classes]") == isFound, "\(said)")
            }
        }
    }

    @Test(arguments: [("group.a", true), ("group.b", false)])
    func `default stores of two targets are one file in a group that both list`(
        group: String,
        isFound: Bool
    ) throws {
        try withFolder { folder in
            let key = "<key>com.apple.security.application-groups</key>"
            for (place, group, classes) in [
                ("App", "group.a", "A.self, B.self"), ("Widget", group, "A.self"),
            ] {
                let list = "<dict>\(key)<array><string>\(group)</string></array></dict>"
                try write("<plist>\(list)</plist>", "\(place)/Any.entitlements", in: folder)
                let code = "import SwiftData\nlet c = try! ModelContainer(for: \(classes))\n"
                try write(code, "\(place)/Main.swift", in: folder)
            }
            let models = ["A", "B"].map { "@Model final class \($0) { var a = 1; init() {} }\n" }
            try write("import SwiftData\n" + models.joined(), "Kit/M.swift", in: folder)
            for command in ["check", "lint .", "check \(folder.path)"] {
                let said = try expectRun(command, in: folder, isFound ? 1 : 0).output
                #expect(said.contains("[container-drops-classes]") == isFound, "\(said)")
            }
        }
    }

    @Test(arguments: [
        ("V1", "", true), ("V2", "", false), ("V1", "f.copyItem(at: a, to: b)", false),
        ("V1", "try Data(contentsOf: u).write(to: f)", false),
        ("V1", "let m = momd.appendingPathComponent(\"V1.mom\")", false),
    ])
    func `a store of the bundle that is only read has the current version`(
        version: String,
        more: String,
        isFound: Bool
    ) throws {
        try inApp { folder in
            let model = "--model App/M.xcdatamodeld --version \(version)"
            try expectRun("create App/Seed.sqlite \(model)", in: folder, 0)
            let code = """
                let c = NSPersistentContainer(name: "M")
                let u = Bundle.main.url(forResource: "Seed", withExtension: "sqlite")!
                \(more)
                d.setOption(true as NSNumber, forKey: NSReadOnlyPersistentStoreOption)
                c.loadPersistentStores { _, _ in }
                """
            try write(code, "App/S.swift", in: folder)
            let said = try expectRun("check", in: folder, isFound ? 1 : 0).output
            #expect(said.contains("[migration-off]") == isFound, "\(said)")
        }
    }

    /// The folder, the group and a property of a second target, and whether its class differs from that of the first.
    static let twins: [(place: String, group: String, more: String, isFound: Bool)] = [
        ("Widget", "group.a", "", true), ("Widget", "group.a", "var q = 2;", false),
        ("Widget", "group.b", "", false), ("Watch", "group.a", "", false),
    ]

    @Test(arguments: twins)
    func `two targets open one file in a group, each with a class of its own`(
        place: String,
        group: String,
        more: String,
        isFound: Bool
    ) throws {
        try withFolder { folder in
            for (place, group, more) in [("App", "group.a", "var q = 2;"), (place, group, more)] {
                let code = """
                    import SwiftData
                    @Model final class Item { var a = 1; \(more) init() {} }
                    let k = try! ModelContainer(for: Item.self, configurations: ModelConfiguration(
                        "Shop", groupContainer: .identifier("\(group)")))
                    """
                try write(code, "\(place)/S.swift", in: folder)
            }
            let targets = "targets: {A: {sources: [App]}, B: {sources: [\(place)]}}\n"
            try write(targets, "project.yml", in: folder)
            let said = try expectRun("check", in: folder, isFound ? 1 : 0, "2 models").output
            #expect(said.contains("[container-drops-classes]") == isFound, "\(said)")
        }
    }

    @Test(arguments: [("App", 0), ("Old", 1)] as [(String, Int32)])
    func `a mapping model that no target compiles is a warning`(place: String, status: Int32) throws
    {
        try inApp { folder in
            try write(Self.mapping, "\(place)/One.xcmappingmodel/xcmapping.xml", in: folder)
            for (project, ends) in [
                ("{App: {sources: [App]}}", status), ("{Kit: {sources: [Kit]}}", 0),
            ] {
                try write("name: A\ntargets: \(project)\n", "project.yml", in: folder)
                for command in [["check"], ["lint", "App/M.xcdatamodeld"]] {
                    let said = try momtool(command, in: folder)
                    #expect(said.status == ends, "\(command): \(said.output)")
                    let isFound = said.output.contains("One.xcmappingmodel")
                    #expect(isFound == (ends == 1), "\(command): \(said.output)")
                }
            }
        }
    }

    @Test func `a list of stages with an unknown version is refused everywhere`() throws {
        try inApp([["a"], ["a", "b"], ["a", "b", "c"]]) { folder in
            let stages = "stages: [{lightweight: [V1, V7]}, {lightweight: [V3]}]\n"
            try write("stages: [Stages.yml]\n", ".momtool.yml", in: folder)
            try writeStore(in: folder)
            let model = "App/M.xcdatamodeld"
            let commands = [
                ["doctor", "S.sqlite", "--model", model], ["plan", model, "--store", "S.sqlite"],
                ["migrate", "S.sqlite", "--model", model, "-o", "O.sqlite"],
            ]
            try write("model: \(model)\n\(stages)", "Stages.yml", in: folder)
            for command in commands + [["check"]] {
                let said = try momtool(command, in: folder)
                #expect(said.status != 0, "\(command)")
                #expect((said.output + said.errors).contains("'V7'"), "\(command): \(said.output)")
            }
            try writeBundle([textModel("B", ["b"])], "Other.xcdatamodeld", in: folder)
            try write("model: Other.xcdatamodeld\n\(stages)", "Stages.yml", in: folder)
            try expectRun(commands[2].joined(separator: " "), in: folder, 0)
        }
    }

    @Test func `a version that cannot be read is not an edited one`() throws {
        try inApp { folder in
            try expectRun("lock", in: folder, 0)
            try commit("one", in: folder)
            let contents = "App/M.xcdatamodeld/V2.xcdatamodel/contents"
            let text = try fileText(folder.appending(path: contents))
            try write("<<<<<<< HEAD\n\(text)\n=======\n<model/>\n>>>>>>> b\n", contents, in: folder)
            for command in ["check", "check --against HEAD"] {
                try expectRun(command, in: folder, 1, "1 error", "[merge-conflict]")
            }
        }
    }

    @Test func `a current version that is absent is a warning, whatever the project names`() throws
    {
        try inApp { folder in
            let list =
                "<plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key><string>V9.xcdatamodel</string></dict></plist>"
            try write(list, "App/M.xcdatamodeld/.xccurrentversion", in: folder)
            let versions = ["V1", "V2"].map {
                "\($0) = {isa = PBXFileReference; path = \($0).xcdatamodel;};"
            }
            let group =
                "isa = XCVersionGroup; children = (V1, V2); currentVersion = V2; path = App/M.xcdatamodeld;"
            let target = "isa = PBXNativeTarget; fileSystemSynchronizedGroups = ();"
            let project = "{objects = {\(versions.joined()) M = {\(group)}; T = {\(target)};};}"
            try write(project, "App.xcodeproj/project.pbxproj", in: folder)
            try expectRun("check", in: folder, 1, "'V9.xcdatamodel'", "'V2'")
            try expectRun("lint App/M.xcdatamodeld --fix", in: folder, nil)
            let named = try fileText(folder.appending(path: "App/M.xcdatamodeld/.xccurrentversion"))
            #expect(named.contains("V2.xcdatamodel") && !named.contains("V9"), "\(named)")
            try expectRun("check", in: folder, nil, not: ["[missing-current-version]"])
        }
    }
}

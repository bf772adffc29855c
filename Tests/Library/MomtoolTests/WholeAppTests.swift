import Foundation
import ModelLoading
import Momtool
import ObjectModel
import TestSupport
import Testing

/// Situations of whole apps, of the kinds that people reported.
struct WholeAppTests {
    private static func model(_ attributes: String..., unique: Bool = false) -> String {
        let lines = attributes.map {
            let words = $0.split(separator: " ", maxSplits: 1)
            return "<attribute name='\(words[0])' optional='YES' attributeType='\(words[1])'/>"
        }
        let constraint =
            unique
            ? "<uniquenessConstraints><uniquenessConstraint><constraint value='n'/></uniquenessConstraint></uniquenessConstraints>"
            : ""
        return "<model><entity name='A'>\(lines.joined())\(constraint)</entity></model>"
    }

    /// Versions from V1 on, and a mapping model that calls code for the step from V2 to V3.
    private func inApp(_ models: [String], _ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            try makeRepository(folder)
            let names = models.indices.map { "V\($0 + 1)" }
            let bundle = folder.appending(path: "M.xcdatamodeld")
            let versions = Dictionary(uniqueKeysWithValues: zip(names, models))
            try writeBundle(versions, current: names[models.count - 1], at: bundle)
            let read = try ModelPlace(bundle.path).read().value.versions
            try writeMapping(
                of: ["kind": "$source.kind"],
                policy: "App.Splitter",
                from: read[1].model,
                to: read[2].model,
                at: folder.appending(path: "One.cdm")
            )
            try body(folder)
        }
    }

    private static let changed = [
        model("n String"), model("n String", "kind String"),
        model("n Integer 64", "kind String"), model("n Integer 64", "kind String", "x String"),
    ]

    @Test(arguments: [(3, false), (3, true), (4, false), (4, true)])
    func `what a mapping model does not reach stays refused whatever its policy does`(
        _ count: Int,
        _ isLocked: Bool
    ) throws {
        try inApp(Array(Self.changed.prefix(count))) { folder in
            if isLocked { _ = try momtool(["lock", "M.xcdatamodeld"], in: folder) }
            let check = try momtool(["check"], in: folder)
            #expect(check.status == 1, "\(check.output)")
            let refused = check.output.split(separator: "\n").contains {
                $0.contains("error: ") && $0.contains("'V1'") && $0.contains("'V\(count)'")
            }
            #expect(refused, "\(check.output)")
            let words = ["create", "S", "--model", "M.xcdatamodeld", "--version", "V1"]
            #expect(try momtool(words, in: folder).status == 0)
            let model = try Model(folder.appending(path: "M.xcdatamodeld").path)
            #expect(try Doctor(model).examine(folder.appending(path: "S").path).opens == false)
        }
    }

    @Test(arguments: [(nil, true), ("copy", true), ("delete", false)] as [(String?, Bool)])
    func `a new uniqueness constraint decides unless a policy takes the rows`(
        _ policy: String?,
        _ isFound: Bool
    ) throws {
        let models = [
            Self.model("n String"), Self.model("n String", "kind String"),
            Self.model("n String", "kind String", "x String", unique: true),
        ]
        try inApp(models) { folder in
            if let policy {
                try write("policies: {Splitter: \(policy)}\n", ".momtool.yml", in: folder)
            }
            for command in ["check", "lint"] {
                let said = try momtool([command, "M.xcdatamodeld"], in: folder)
                #expect(said.output.contains("'V2': A.n: ") == isFound, "\(said.output)")
            }
        }
    }

    @Test func `rows that a new uniqueness constraint forbids fail after a mapping model`() throws {
        let models = [
            Self.model("n String"), Self.model("n String", "kind String"),
            Self.model("n String", "kind String", "x String", unique: true),
        ]
        try inApp(models) { folder in
            try write("policies: {Splitter: Split.yml}\n", ".momtool.yml", in: folder)
            let map = "entities: [{from: A, to: A, set: {n: $source.n}}]\n"
            try write(map, "Split.yml", in: folder)
            try write(
                #"{"A": [{"@id": "1", "n": "x"}, {"@id": "2", "n": "x"}]}"#,
                "Rows.json",
                in: folder
            )
            let words = ["create", "S", "--model", "M.xcdatamodeld", "--version", "V2"]
            #expect(try momtool(words + ["--rows", "Rows.json"], in: folder).status == 0)
            let doctor = try momtool(["doctor", "S", "--model", "M.xcdatamodeld"], in: folder)
            #expect(doctor.status == 1, "\(doctor.output)")
        }
    }

    @Test func `code that migrates stores is asked about once`() throws {
        try inApp(Array(Self.changed.prefix(3))) { folder in
            try write("let m = NSMigrationManager(\n", "App/Migrator.swift", in: folder)
            let note = "App/Migrator.swift:1: note: "
            let check = try momtool(["check"], in: folder)
            #expect(check.status == 0, "\(check.output)")
            #expect(check.output.ranges(of: "[migrator-in-code]").count == 1)
            #expect(check.output.contains(note), "\(check.output)")
            let words = ["create", "S", "--model", "M.xcdatamodeld", "--version", "V1"]
            #expect(try momtool(words, in: folder).status == 0)
            let doctor = try momtool(["doctor", "S", "--model", "M.xcdatamodeld"], in: folder)
            #expect(!doctor.output.contains("refuses"), "\(doctor.output)")
            let lock = try momtool(["lock", "--dry-run"], in: folder)
            #expect(lock.status == 0, "\(lock.errors)")
            try write("migration: direct\n", ".momtool.yml", in: folder)
            let direct = try momtool(["check"], in: folder)
            #expect(direct.status == 1 && !direct.output.contains(note), "\(direct.output)")
            try write("migration: stepwise\n", ".momtool.yml", in: folder)
            let stepwise = try momtool(["check"], in: folder)
            #expect(stepwise.status == 0 && !stepwise.output.contains(note), "\(stepwise.output)")
        }
    }

    static let classes: [(name: String, generation: String, text: String, isFound: Bool)] = [
        ("Note", "", "public class Note: NSManagedObject {}", false),
        ("Note", "category", "final class Note : NSManagedObject {}", false),
        ("Note", "class", "class Note: NSManagedObject {}", true),
        ("Note", "", "@objc(Note)\nclass Note: NSManagedObject {}", true),
        (".Note", "", "class Note: NSManagedObject {}", true),
        ("Kit.Note", "", "class Note: NSManagedObject {}", true),
        ("Note", "", "// class Note: NSManagedObject", true),
    ]

    @Test(arguments: classes)
    func `a class of Swift is found by its name in Objective-C`(
        _ name: String,
        _ generation: String,
        _ text: String,
        _ isFound: Bool
    ) throws {
        try withFolder { folder in
            let entity =
                "<entity name='Note' representedClassName='\(name)' codeGenerationType='\(generation)'>"
            let model =
                "<model>\(entity)<attribute name='a' optional='YES' attributeType='String'/></entity></model>"
            try write(model, "M.xcdatamodel/contents", in: folder)
            try write("import CoreData\n\(text)\n", "Sources/Kit/Note.swift", in: folder)
            let check = try momtool(["check"], in: folder)
            #expect(check.output.contains("[class-not-found]") != isFound, "\(check.output)")
        }
    }

    @Test func `a merged store keeps the entities of its other model`() throws {
        try withFolder { folder in
            let human =
                "<entity name='Human'><attribute name='n' optional='YES' attributeType='String'/>"
            let beast =
                "<entity name='Beast'><attribute name='n' optional='YES' attributeType='String'/></entity>"
            let new = human + "<attribute name='m' optional='YES' attributeType='String'/></entity>"
            let models = ["P1": "<model>\(human)</entity></model>", "P2": "<model>\(new)</model>"]
            try writeBundle(models, current: "P2", at: folder.appending(path: "P.xcdatamodeld"))
            let other = ["A1": "<model>\(beast)</model>"]
            try writeBundle(other, current: "A1", at: folder.appending(path: "A.xcdatamodeld"))
            try write(
                "<model>\(human)</entity>\(beast)</model>",
                "B.xcdatamodel/contents",
                in: folder
            )
            #expect(
                try momtool(["create", "S", "--model", "B.xcdatamodel"], in: folder).status == 0
            )
            let both = ["S", "--model", "P.xcdatamodeld", "--model", "A.xcdatamodeld"]
            let doctor = try momtool(["doctor"] + both, in: folder)
            #expect(doctor.output.contains("134130"), "\(doctor.output)")
            #expect(doctor.output.contains("momtool migrate S --model P.xcdatamodeld --model A"))
            let merged = try momtool(["migrate"] + both + ["-o", "O"], in: folder)
            #expect(merged.status == 0, "\(merged.errors)")
            let healthy = try momtool(["doctor", "O"] + both.dropFirst(), in: folder)
            #expect(healthy.status == 0 || healthy.output.contains("no rows"), "\(healthy.output)")
            let alone = ["migrate", "S", "--model", "P.xcdatamodeld", "-o", "Q"]
            #expect(try momtool(alone, in: folder).status == 3)
            let asked = try momtool(alone + ["--allow-data-loss", "Beast"], in: folder)
            #expect(asked.status == 0, "\(asked.errors)")
        }
    }

    static let missing: [(old: String, new: String, name: String)] = [
        ("", "var mode: Mode = Mode.a", "Item.mode"),
        ("var mode: Mode?", "var mode: Mode = Mode.a", "Item.mode"),
        ("", "var plain: Plain = Plain.x", "Item.plain"),
        ("var box: Small = Small()", "var box: Large = Large()", "Item.box.mode"),
    ]

    @Test(arguments: missing)
    func `a value that is not optional in Swift is missing in old rows`(
        _ old: String,
        _ new: String,
        _ name: String
    ) throws {
        try withFolder { folder in
            for (file, property) in [("Old.swift", old), ("New.swift", new)] {
                let text = """
                    enum Mode: String, Codable { case a, b }
                    enum Plain: Codable { case x, y }
                    struct Small: Codable { var w: Int? }
                    struct Large: Codable { var w: Int?; var mode: Mode = Mode.a; var other: Mode? }
                    @Model class Item { var n: String = ""; \(property) }
                    """
                try write(text, file, in: folder)
            }
            try write(#"{"Item": [{"n": "x"}]}"#, "r.json", in: folder)
            let create = ["create", "S", "--model", "Old.swift", "--rows", "r.json"]
            #expect(try momtool(create, in: folder).status == 0)
            let diff = try momtool(["diff", "Old.swift", "New.swift"], in: folder)
            #expect(diff.output.contains("\(name): "), "\(diff.output)")
            let plan = try momtool(["plan", "Old.swift", "New.swift", "--store", "S"], in: folder)
            #expect(plan.output.contains("\(name): 1 row: NULL"), "\(plan.output)")
            #expect(plan.status == 1)
            let models = ["--model", "Old.swift", "--model", "New.swift"]
            let doctor = try momtool(["doctor", "S"] + models, in: folder)
            #expect(doctor.output.contains("\(name): 1 row: NULL"), "\(doctor.output)")
            let migrate = [
                "migrate", "S", "--model", "Old.swift", "--model", "New.swift", "-o", "O",
            ]
            let run = try momtool(migrate, in: folder)
            #expect(run.status == 0 && run.errors.contains("\(name): 1 row: NULL"), "\(run.errors)")
            let verify = try momtool(["verify", "O", "--model", "New.swift"], in: folder)
            #expect(verify.status == 1 && verify.output.contains("[missing-swift-value]"))
        }
    }

    @Test(arguments: ["old", "new", "other"])
    func `a value that no case has is one answer of all commands`(_ value: String) throws {
        func model(_ cases: String, _ more: String) -> String {
            """
            enum Mode: String, Codable { case \(cases) }
            @Model class Item { var n: String = ""; var mode: Mode = Mode.new; \(more) }
            """
        }
        try withFolder { folder in
            try write(model("old, new, other", ""), "Old.swift", in: folder)
            try write(model("new, other", "var x: Int?"), "New.swift", in: folder)
            let rows = #"{"Item": [{"n": "x", "mode": {"mode": "\#(value)"}}]}"#
            try write(rows, "r.json", in: folder)
            try expectRun("create S --model Old.swift --rows r.json", in: folder, 0)
            let isKnown = value != "old"
            let status: Int32 = isKnown ? 0 : 1
            let plan = try expectRun("plan Old.swift New.swift --store S", in: folder, status)
            let models = "--model Old.swift --model New.swift"
            let migrate = try expectRun("migrate S \(models) -o O", in: folder, 0)
            let doctor = try expectRun("doctor S \(models)", in: folder, nil)
            try expectRun("verify O --model New.swift", in: folder, status)
            for said in [plan.output, migrate.errors, doctor.output] {
                #expect(said.contains("Item.mode: 1 row: ") != isKnown, "\(said)")
            }
        }
    }

    private static func containers(_ second: String) -> String {
        """
        import SwiftData
        @Model final class Show { @Attribute(.unique) var id: String = ""; init() {} }
        @Model final class Synced { var id: String = ""; init() {} }
        enum Stores {
            static func catalog() throws -> ModelContainer {
                let schema = Schema([Show.self])
                let config = ModelConfiguration(schema: schema, cloudKitDatabase: .none)
                return try ModelContainer(for: schema, configurations: config)
            }
            static func cloud() throws -> ModelContainer { \(second) }
        }
        """
    }

    @Test func `several containers are several stores`() throws {
        try withFolder { folder in
            let cloud = """
                let config = ModelConfiguration("Cloud", cloudKitDatabase: .private("iCloud.a"))
                return try ModelContainer(for: Schema([Synced.self]), configurations: [config])
                """
            try write(Self.containers(cloud), "Src/A.swift", in: folder)
            let check = try momtool(["check", "Src"], in: folder)
            #expect(check.status == 0, "\(check.output)")
            let create = ["create", "S", "--model", "Src", "--model-types", "Show"]
            #expect(try momtool(create, in: folder).status == 0)
            let model = try Model(folder.appending(path: "Src").path)
            #expect(try Doctor(model).examine(folder.appending(path: "S").path).opens == true)
            let identify = try momtool(["identify", "S", "--model", "Src"], in: folder)
            #expect(identify.status == 0, "\(identify.output)")
            let migrate = try momtool(["migrate", "S", "--model", "Src", "-o", "O"], in: folder)
            #expect(!migrate.output.contains("created"), "\(migrate.output)\(migrate.errors)")
            let same = "try ModelContainer(for: Show.self, Synced.self)"
            try write(Self.containers(same), "Src/A.swift", in: folder)
            let shared = try momtool(["check", "Src"], in: folder)
            #expect(shared.output.contains("[container-drops-classes]"), "\(shared.output)")
        }
    }

    /// Two versions, the second of which has a further property, their plan, and further code.
    private static func plan(_ property: String, _ rest: String) -> String {
        let versions = [("V1", 1, ""), ("V2", 2, "; \(property)")].map { name, number, more in
            """
            enum \(name): VersionedSchema {
                static let versionIdentifier = Schema.Version(\(number), 0, 0)
                static var models: [any PersistentModel.Type] { [Item.self] }
                @Model final class Item { var a: String = ""\(more); init() {} }
            }

            """
        }
        return """
            import SwiftData
            \(versions.joined())
            enum Plan: SchemaMigrationPlan {
                static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
                static var stages: [MigrationStage] {
                    [.lightweight(fromVersion: V1.self, toVersion: V2.self)]
                }
            }
            let schema = Schema(versionedSchema: V2.self)
            let items = try ModelContainer(for: schema, migrationPlan: Plan.self)
            \(rest)
            """
    }

    @Test func `classes beside a plan have a store of their own`() throws {
        let rest = """
            @Model final class Cache { var q: String = ""; init() {} }
            let cache = try ModelContainer(for: Cache.self, configurations: ModelConfiguration("C"))
            """
        try withFolder { folder in
            try write(Self.plan("var b: Int = 0", rest), "Src/A.swift", in: folder)
            let create = ["create", "S", "--model", "Src", "--version", "unversioned"]
            for words in [["check", "Src"], ["lock", "Src"], ["check", "Src"], create] {
                let run = try momtool(words, in: folder)
                #expect(run.status == 0, "\(run.output)\(run.errors)")
            }
            let model = try Model(folder.appending(path: "Src").path)
            #expect(try Doctor(model).examine(folder.appending(path: "S").path).opens == true)
        }
    }

    @Test(arguments: ["var b: Int = base", "var b: Int = max(base, 2)"])
    func `a default in code is a value that only the app has`(_ property: String) throws {
        try withFolder { folder in
            try write(Self.plan(property, "let base = 4"), "Src/A.swift", in: folder)
            try write(#"{"Item": [{"a": "x"}]}"#, "r.json", in: folder)
            let check = try momtool(["check", "Src"], in: folder)
            #expect(check.status == 0, "\(check.output)")
            let create = ["create", "S", "--model", "Src", "--version", "V1", "--rows", "r.json"]
            #expect(try momtool(create, in: folder).status == 0)
            let doctor = try momtool(["doctor", "S", "--model", "Src"], in: folder)
            #expect(doctor.output.contains("(lightweight)") && !doctor.output.contains("134110"))
            let migrate = try momtool(["migrate", "S", "--model", "Src", "-o", "O"], in: folder)
            #expect(migrate.status == 3, "\(migrate.errors)")
        }
    }

    @Test(arguments: [("<array/>", false), ("<array><string>iCloud.a</string></array>", true)])
    func `an empty list of containers of iCloud mirrors nothing`(
        _ list: String,
        _ isMirrored: Bool
    ) throws {
        try withFolder { folder in
            try makeRepository(folder)
            let text = "import SwiftData\n@Model class Item { @Attribute(.unique) var n = \"\" }\n"
            try write(text, "App/Item.swift", in: folder)
            let entitlements = """
                <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>
                <key>com.apple.developer.icloud-services</key><array><string>CloudKit</string></array>
                <key>com.apple.developer.icloud-container-identifiers</key>\(list)</dict></plist>
                """
            try write(entitlements, "App/App.entitlements", in: folder)
            let check = try momtool(["check"], in: folder)
            #expect(check.output.contains("[cloudkit-unique-constraint]") == isMirrored)
        }
    }

    @Test func `two targets with a class of one name have a model each`() throws {
        try withFolder { folder in
            for (target, property) in [("Shop", "var n = \"\""), ("Watch", "var m = 0")] {
                let text = "import SwiftData\n@Model class Item { \(property) }\n"
                try write(text, "Sources/\(target)/Item.swift", in: folder)
            }
            let check = try momtool(["check"], in: folder)
            #expect(check.status == 0 && check.output.contains("2 models"), "\(check.output)")
        }
    }
}

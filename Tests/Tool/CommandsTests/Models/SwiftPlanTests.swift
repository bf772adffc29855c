import Foundation
import TestSupport
import Testing

struct SwiftPlanTests {
    private func source(
        _ members: [String],
        schemas: [Int]? = nil,
        stages: String,
        besides: String = ""
    ) -> String {
        let versions = members.enumerated().map { number, members in
            """
            enum V\(number + 1): VersionedSchema {
                static let versionIdentifier = Schema.Version(\(number + 1), 0, 0)
                static var models: [any PersistentModel.Type] { [Item.self] }
                @Model class Item {
                    \(members)
                }
            }
            """
        }
        let names = (schemas ?? Array(1...members.count)).map { "V\($0).self" }
        return versions.joined(separator: "\n") + """

            enum Plan: SchemaMigrationPlan {
                static var schemas: [any VersionedSchema.Type] { [\(names.joined(separator: ", "))] }
                static var stages: [MigrationStage] { [\(stages)] }
            }
            \(besides)
            """
    }

    private func light(_ from: Int, _ to: Int) -> String {
        ".lightweight(fromVersion: V\(from).self, toVersion: V\(to).self)"
    }

    private func withSource(_ text: String, _ body: (String) throws -> Void) throws {
        try withFolder { folder in
            let file = folder.path + "/Models.swift"
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
            try body(file)
        }
    }

    private let three = ["var a: Int?", "var a: Int?; var b: Int?", "var b: Int?; var c: Int?"]

    @Test func `a plan is walked with its stages`() throws {
        let text = source(three, stages: [light(1, 2), light(2, 3)].joined(separator: ", "))
        try withSource(text) { file in
            let plan = try momtool("plan", "--stages", file, "--from", "V1")
            #expect(plan.status == 0)
            #expect(plan.output.contains("lightweight V1 → V3"))
            #expect(plan.output.contains("lightweight V1 → V3, 2 steps"))
            let (old, new) = (file + ".old.sqlite", file + ".new.sqlite")
            let rows = file + ".json"
            try Data(#"{"Item": [{"a": 1}]}"#.utf8).write(to: URL(fileURLWithPath: rows))
            #expect(try momtool("create", old, "--model", file + "#V1", "--rows", rows).status == 0)
            try expectRun("migrate \(old) --stages \(file) -o \(new) --allow-data-loss", 0)
            #expect(try momtool("identify", new, "--model", file).output.contains("V3"))
        }
    }

    @Test func `a plan that keeps an app from starting migrates nothing`() throws {
        let text = source(
            ["var a: Int?", "var a: Int?; var b: Int?", "var b: Int?"],
            stages: light(1, 2)
        )
        try withSource(text) { file in
            let (old, new) = (file + ".old.sqlite", file + ".new.sqlite")
            #expect(try momtool("create", old, "--model", file + "#V1").status == 65)
            let before = try Data(contentsOf: URL(fileURLWithPath: old))
            #expect(try momtool("plan", "--stages", file, "--store", old).status == 3)
            for output in [["-o", new], ["--in-place"]] {
                let run = try momtool(["migrate", old, "--stages", file] + output)
                #expect(run.status == 3, "\(run.errors)")
                #expect(run.errors.contains("[stage-missing]"))
                #expect(run.errors.contains("nothing is migrated"))
            }
            #expect(!FileManager.default.fileExists(atPath: new))
            #expect(try Data(contentsOf: URL(fileURLWithPath: old)) == before)
        }
    }

    @Test func `stores of versions that no stage lists end with 134504`() throws {
        let between = "@Model class Item { var a: Int?; var x: Int? }"
        for stages in ["", light(1, 2) + ", " + light(2, 3)] {
            try withSource(source(three, stages: stages, besides: between)) { file in
                let plan = try momtool("plan", "--stages", file, "--from", "unversioned")
                #expect(plan.status == 3)
                #expect(plan.output.contains("134504"))
                #expect(plan.errors.contains("no stage lists 'unversioned'"))
            }
        }
        try withSource(source(three, stages: "")) { file in
            try expectRun(["plan", "--stages", file, "--from", "V1"], 3, "134504")
            #expect(
                try momtool("plan", "--stages", file, "--from", "V3").output == "nothing to do\n"
            )
        }
    }

    @Test func `versions with one checksum raise an exception`() throws {
        let members = ["var a: Int?", "#Index<Item>([\\.a]); var a: Int?"]
        try withSource(source(members, stages: light(1, 2))) { file in
            let plan = try momtool("plan", "--stages", file, "--from", "V1")
            #expect(plan.status == 3)
            #expect(plan.errors.contains("'V2' has the checksum of 'V1'"))
            #expect(plan.errors.contains("Duplicate version checksums"))
            let lint = try momtool("lint", file)
            // The plan fails at every start: only that cause is reported.
            #expect(lint.output.contains("[stages-fail]"))
            #expect(!lint.output.contains("[index-only-version]"))
            #expect(!lint.output.contains("[equal-checksums]"))
        }
    }

    @Test func `functions of custom stages are named, and how to give their effect`() throws {
        let stages = """
            \(light(1, 2)), .custom(
                fromVersion: V2.self, toVersion: V3.self,
                willMigrate: { context in try fill(context) }, didMigrate: nil
            )
            """
        try withSource(source(three, stages: stages)) { file in
            let plan = try momtool("plan", "--stages", file, "--from", "V1")
            #expect(plan.status == 0)
            #expect(plan.errors.contains("V2 → V3: willMigrate is Swift and cannot be run here"))
            #expect(
                plan.output.contains("lightweight V1 → V2\ncustom V2 → V3: willMigrate at V2\n")
                    || plan.output.contains("custom V2 → V3")
            )
            let yaml = """
                model: \(file)
                stages:
                  - lightweight: [V1]
                  - custom: {from: V2, to: V3}
                    willMigrate: V2-V3.will.sql
                """
            #expect(plan.errors.contains(yaml))
            let (old, new) = (file + ".old.sqlite", file + ".new.sqlite")
            let rows = file + ".json"
            try Data(#"{"Item": [{"a": 7}]}"#.utf8).write(to: URL(fileURLWithPath: rows))
            #expect(try momtool("create", old, "--model", file + "#V1", "--rows", rows).status == 0)
            let refused = try momtool("migrate", old, "--stages", file, "-o", new)
            #expect(refused.status == 3)
            #expect(refused.errors.contains("[custom-stage-not-run]"))
            // With the proposed file, and the effect in SQL, the rest runs.
            let folder = URL(fileURLWithPath: file).deletingLastPathComponent()
            try write(yaml, "Stages.yml", in: folder)
            try write("UPDATE Item SET b = a;", "V2-V3.will.sql", in: folder)
            let run = try momtool(
                ["migrate", old, "--stages", folder.path + "/Stages.yml", "-o", new]
                    + ["--allow-data-loss"]
            )
            #expect(run.status == 0, "\(run.errors)")
            #expect(try momtool("export", new).output.contains("\"b\": 7"))
        }
    }

    @Test func `steps that go wrong are found`() throws {
        let types = """
            struct Place: Codable { var town: String; var street: String? }
            """
        let members = [
            "struct Place: Codable { var town: String }\nvar place: Place?",
            """
            struct Place: Codable {
                var town: String
                var street: String?
            }
            var place: Place?
            var id: UUID = UUID()
            var name: String
            """,
        ]
        try withSource(source(members, stages: light(1, 2), besides: types)) { file in
            let lint = try momtool("lint", file).output
            #expect(lint.contains("all existing rows get one value of 'Item.id', that of UUID()"))
            #expect(lint.contains("Item.name: a new mandatory attribute has no default"))
            // At the line of the member, not of the property that stores the struct.
            #expect(
                lint.contains(
                    "Models.swift:15:9: note: the member or case 'street' is new: the hash of 'Item' changes"
                ),
                "\(lint)"
            )
        }
    }

    @Test func `inverses that are not written are named`() throws {
        let text = """
            @Model class Trip { var stops: [Stop]?; @Relationship(deleteRule: .cascade) var tags: [Tag] = [] }
            @Model class Stop { var trip: Trip? }
            @Model class Tag { @Relationship var trip: Trip? }
            """
        try withSource(text) { file in
            let lint = try momtool("lint", file).output
            #expect(lint.contains("Trip.stops: the inverse Stop.trip is not written"))
            #expect(lint.contains("Trip.tags: SwiftData does not pair it with Tag.trip"))
            #expect(try momtool("hash", file).errors == "")
        }
    }

    @Test func `sources are compiled to models with their hashes, and inspected`() throws {
        try withFolder { folder in
            let bundle = folder.path + "/Journal.momd"
            #expect(try momtool("compile", "Models/Journal", "-o", bundle).status == 0)
            let (compiled, read) = (
                try momtool("hash", bundle), try momtool("hash", "Models/Journal")
            )
            #expect(compiled.output == read.output)
            let version = folder.path + "/V2.mom"
            #expect(try momtool("compile", "Models/Journal#SchemaV2", "-o", version).status == 0)
            let diff = try momtool("diff", version, "Models/Journal#SchemaV2")
            #expect(diff.output.contains("one store: both open it, 2 of 2 entity hashes equal"))
            try expectRun(["inspect", "Models/Journal/SchemaV2.swift"], nil, "Notebook")
        }
    }

    @Test func `what CloudKit asks of classes is asked where the configuration says so`() throws {
        let text =
            "@Model class Item { @Attribute(.unique) var code: String; var tags: [Tag] }\n"
            + "@Model class Tag { var name: String? }"
        try withSource(text) { file in
            #expect(!(try momtool("lint", file).output.contains("cloudkit-")))
            let folder = URL(fileURLWithPath: file).deletingLastPathComponent()
            try write("swift: { cloudkit: true }", ".momtool.yml", in: folder)
            let lint = try momtool("lint", file).output
            for rule in [
                "cloudkit-unique-constraint", "cloudkit-mandatory-attribute",
                "cloudkit-mandatory-relationship", "cloudkit-missing-inverse",
            ] {
                #expect(lint.contains("[\(rule)]"), "\(rule): \(lint)")
            }
        }
    }
}

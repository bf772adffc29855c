import Foundation
import TestSupport
import Testing

struct UnrunStageTests {
    private static let source = """
        import SwiftData
        enum V1: VersionedSchema {
            static let versionIdentifier = Schema.Version(1, 0, 0)
            static var models: [any PersistentModel.Type] { [Item.self] }
            @Model class Item { var name: String = ""; init() {} }
        }
        enum V2: VersionedSchema {
            static let versionIdentifier = Schema.Version(2, 0, 0)
            static var models: [any PersistentModel.Type] { [Item.self] }
            @Model class Item { var first: String = ""; init() {} }
        }
        enum Plan: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
            static var stages: [MigrationStage] { [STAGE] }
        }

        """

    private static let words = "what it keeps, fills or loses is not known"

    private func withApp(_ stage: String, _ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            try write(Self.source.replacing("STAGE", with: stage), "Models.swift", in: folder)
            try expectRun("test Cases --write-case --model Models.swift", in: folder, 0)
            try body(folder)
        }
    }

    private static let commands = [
        ["plan", "Models.swift"], ["plan", "--stages", "Models.swift"], ["test", "Cases"],
        ["test", "--matrix", "Models.swift"], ["check"],
    ]

    @Test(arguments: commands)
    func `a function of a stage is said not to be run`(command: [String]) throws {
        let stage =
            ".custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: { _ in }, didMigrate: nil)"
        try withApp(stage) { folder in
            let run = try momtool(command, in: folder)
            let text = run.output + run.errors
            #expect(text.contains("V1 → V2 runs willMigrate in Swift, which is not run here"))
            #expect(text.contains(Self.words) && text.contains("test it by a case"), "\(text)")
        }
        try withApp(".lightweight(fromVersion: V1.self, toVersion: V2.self)") { folder in
            let run = try momtool(command, in: folder)
            #expect(!(run.output + run.errors).contains(Self.words))
        }
    }

    @Test func `the plan has it beside the step in JSON too`() throws {
        let stage =
            ".custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: nil, didMigrate: { _ in })"
        try withApp(stage) { folder in
            let run = try momtool("plan --stages Models.swift --format json", in: folder)
            let plan = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
            let apple = (plan as? [String: Any])?["apple"] as? [String: Any]
            let steps = try #require(apple?["steps"] as? [[String: Any]])
            let remarks = steps.compactMap { $0["remark"] as? String }
            #expect(remarks.count == 1 && remarks[0].contains("didMigrate"), "\(run.output)")
        }
    }

    private func withPlan(_ second: String, _ third: String, _ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            let text =
                "import SwiftData\n"
                + [itemSchema(1, "var code: Int?"), itemSchema(2, second), itemSchema(3, third)]
                .joined() + """
                    enum Plan: SchemaMigrationPlan {
                        static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self, V3.self] }
                        static var stages: [MigrationStage] {
                            [
                                .custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: { _ in }, didMigrate: nil),
                                .custom(fromVersion: V2.self, toVersion: V3.self, willMigrate: nil, didMigrate: { _ in }),
                            ]
                        }
                    }

                    """
            try write(text, "Models.swift", in: folder)
            try body(folder)
        }
    }

    @Test func `check says it once for a model, without turning red`() throws {
        try withPlan(
            "var code: Int?; var size: Int?",
            "var code: Int?; var size: Int?; var day: Date?"
        ) { folder in
            let check = try expectRun("check", in: folder, 0)
            let rule = "[custom-stage-not-run]"
            #expect(check.output.components(separatedBy: rule).count == 2, "\(check.output)")
            #expect(check.output.contains("note: V1 → V2 runs willMigrate in Swift"))
            #expect(check.output.contains("note: V2 → V3 runs didMigrate in Swift"))
            #expect(try momtool("check --fail-on note", in: folder).status == 1)
            let lint = try momtool("lint Models.swift", in: folder)
            #expect(lint.output.contains("note: V2 → V3 runs didMigrate in Swift"))
            #expect(try momtool("rules", "custom-stage-not-run").status == 0)
        }
    }

    /// The first version has rows that lack a value: one step is refused for them, and each step alone is not.
    @Test func `the matrix says of a refused step what the plan says`() throws {
        let second = "var code: Int?; var tag: String = \"none\""
        try withPlan(second, "var code: Int?; var tag: String; var day: Date?") { folder in
            try write("{\"Item\": [{\"@id\": \"a\"}]}", "rows.json", in: folder)
            let model = ["--model", "Models.swift"]
            let made = try momtool(
                ["create", "S.sqlite", "--version", "V1", "--rows", "rows.json"] + model,
                in: folder
            )
            #expect(made.status == 0, "\(made.errors)")
            for command in [
                ["plan", "Models.swift", "--store", "S.sqlite"],
                ["test", "--matrix", "Models.swift"], ["test", "--stores", "S.sqlite"] + model,
            ] {
                let run = try momtool(command, in: folder)
                let text = run.output + run.errors
                for part in [
                    "134110", "V1 → V2 runs willMigrate in Swift", "V2 → V3 runs didMigrate",
                    "through every version, V1 → V2 → V3, nothing of this is refused",
                ] {
                    #expect(text.contains(part), "\(command): \(part): \(text)")
                }
            }
        }
    }

    @Test(arguments: [
        ["plan", "Models.swift", "--from", "V1"], ["test", "--matrix", "Models.swift"], ["check"],
    ])
    func `a step that leads nowhere names the stages that were not run`(command: [String]) throws {
        try withPlan("var code: String?", "var code: String?; var day: Date?") { folder in
            let run = try momtool(command, in: folder)
            let text = run.output + run.errors
            #expect(text.components(separatedBy: "V1 → V2 runs").count == 2, "\(text)")
            #expect(run.status != 0 && text.contains("attribute types are incompatible"), "\(text)")
            #expect(text.contains("V1 → V2 runs willMigrate in Swift"), "\(text)")
        }
    }

    private static let judging = [
        ["lint", "Models.swift"], ["check"], ["test", "--matrix", "Models.swift"],
        ["lock", "Models.swift", "--lock", "Other.lock"], ["lock", "Models.swift", "--check"],
    ]

    /// The step drops `code` and `tag`, asks about duplicates, and its stage may well handle each.
    private func withDrops(_ stage: String, _ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            let first = "var code: Int?; var tag: String?"
            let second = "var day: Date?; @Attribute(.unique) var key: UUID?"
            let text =
                "import SwiftData\n" + itemSchema(1, first) + itemSchema(2, second) + """
                    enum Plan: SchemaMigrationPlan {
                        static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
                        static var stages: [MigrationStage] { [\(stage)] }
                    }

                    """
            try write(text, "Models.swift", in: folder)
            try expectRun("lock Models.swift --version V1", in: folder, 0)
            try body(folder)
        }
    }

    private static let custom =
        ".custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: { _ in }, didMigrate: { _ in })"

    @Test(arguments: judging)
    func `what a stage may carry over is no loss, and told once`(command: [String]) throws {
        try withDrops(Self.custom) { folder in
            let run = try momtool(command, in: folder)
            let text = run.output + run.errors
            #expect(run.status == 0, "\(command): \(text)")
            #expect(!text.contains("[data-loss]") && !text.contains("[undeclared-rename]"))
            #expect(!text.contains("[rows-decide]"), "\(text)")
            let open =
                "it may carry over or cure what the step drops or asks about: Item.code, Item.tag"
            let isLock = command[0] == "lock"
            #expect(text.components(separatedBy: open).count == (isLock ? 1 : 2), "\(text)")
        }
    }

    @Test(arguments: judging.dropLast())
    func `without functions the same step loses what it drops`(command: [String]) throws {
        try withDrops(".lightweight(fromVersion: V1.self, toVersion: V2.self)") { folder in
            let run = try momtool(command, in: folder)
            #expect(
                run.status != 0 && (run.output + run.errors).contains("Item.code"),
                "\(command)"
            )
        }
    }

    @Test func `what such a step drops can still be named, and the lock records it`() throws {
        try withDrops(Self.custom) { folder in
            try write("losses:\n  V2: [Item.code]\n", ".momtool.yml", in: folder)
            try expectRun("check", in: folder, 0, not: ["unmatched-loss"])
            #expect(try momtool("lock Models.swift", in: folder).status == 0)
            let lock = try fileText(folder.appending(path: "Models.swift.lock"))
            #expect(lock.contains("loses Item.code") && !lock.contains("Item.tag\n"), "\(lock)")
        }
    }

    /// Core Data fails before `didMigrate` could fill it.
    @Test func `a new mandatory value stays an error beside a function`() throws {
        try withPlan(
            "var code: Int?; var size: Int",
            "var code: Int?; var size: Int; var day: Date?"
        ) {
            folder in
            #expect(try momtool("lock Models.swift --version V1", in: folder).status == 0)
            try expectRun("lint Models.swift", in: folder, 1, "Item.size")
        }
    }

    @Test func `doctor tells of the plan that the app follows, and proposes no loss`() throws {
        try withDrops(Self.custom) { folder in
            try write("{\"Item\": [{\"code\": 7}]}", "rows.json", in: folder)
            let model = ["--model", "Models.swift"]
            let made = try momtool(
                ["create", "S.sqlite", "--version", "V1", "--rows", "rows.json"] + model,
                in: folder
            )
            #expect(made.status == 0, "\(made.errors)")
            let doctor = try momtool(["doctor", "S.sqlite"] + model, in: folder)
            let text = doctor.output
            #expect(text.contains("the versions of the app's plan: V1 → V2; its custom stages run"))
            #expect(text.contains("V1 → V2 runs willMigrate and didMigrate in Swift"), "\(text)")
            #expect(text.contains("at stake without that code: Item.code"), "\(text)")
            #expect(text.contains("momtool plan --stages Models.swift"), "\(text)")
            #expect(!text.contains("allow"), "\(text)")
        }
    }
}

import Foundation
import TestSupport
import Testing

/// A custom stage that is Swift is not run: what it does to losses is said to be unknown, at its step.
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
            let text = Self.source.replacing("STAGE", with: stage)
            try Data(text.utf8).write(to: folder.appending(path: "Models.swift"))
            let written = try momtool(
                ["test", "Cases", "--write-case", "--model", "Models.swift"],
                in: folder
            )
            #expect(written.status == 0, "\(written.errors)")
            try body(folder)
        }
    }

    private static let commands = [
        ["plan", "Models.swift"], ["plan", "--stages", "Models.swift"], ["test", "Cases"],
        ["test", "--matrix", "Models.swift"],
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
            let run = try momtool(
                ["plan", "--stages", "Models.swift", "--format", "json"],
                in: folder
            )
            let plan = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
            let apple = (plan as? [String: Any])?["apple"] as? [String: Any]
            let steps = try #require(apple?["steps"] as? [[String: Any]])
            let remarks = steps.compactMap { $0["remark"] as? String }
            #expect(remarks.count == 1 && remarks[0].contains("didMigrate"), "\(run.output)")
        }
    }
}

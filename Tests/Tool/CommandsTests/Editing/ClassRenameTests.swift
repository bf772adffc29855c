import Foundation
import TestSupport
import Testing

/// SwiftData finds the old values of a property by its originalName, and has no such thing for a class.
struct ClassRenameTests {
    private static func version(_ number: Int, _ classes: [String]) -> String {
        let list = classes.map { "\($0).self" }.joined(separator: ", ")
        let bodies = classes.map { "@Model final class \($0) { var name = \"\"; var rank = 0 }" }
        return """
            enum SchemaV\(number): VersionedSchema {
                static let versionIdentifier = Schema.Version(\(number), 0, 0)
                static var models: [any PersistentModel.Type] { [\(list)] }
                \(bodies.joined(separator: "\n    "))
            }

            """
    }

    private static let plan = """
        enum AppPlan: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
            static var stages: [MigrationStage] {
                [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)]
            }
        }

        """

    private func withRenamed(_ classes: [String], _ body: (SwiftApp) throws -> Void) throws {
        let text =
            "import SwiftData\n" + Self.version(1, classes)
            + Self.version(2, classes.map { "Saved\($0)" }) + Self.plan
        try SwiftApp.with(["Models.swift": text], body)
    }

    @Test func `no report asks for the renaming identifier of a class`() throws {
        try withRenamed(["Filter"]) { app in
            let question =
                "SwiftData cannot rename a class: if 'SavedFilter' is 'Filter' renamed, keep the name 'Filter', or "
                + "carry its objects over in a custom stage; else the data of 'Filter' is dropped"
            let cure =
                "if it was renamed, keep its name, as SwiftData cannot rename a class, or carry its objects over in a "
                + "custom stage"
            let commands: [(words: [String], said: String)] = [
                (["lint", "App"], question), (["check"], question), (["diff", "App"], question),
                (["diff", "App"], cure), (["diff", "App", "--format", "json"], cure),
                (["diff", "App", "--format", "markdown"], question),
            ]
            for (words, said) in commands {
                let run = try momtool(words, in: app.folder)
                let text = run.output + run.errors
                #expect(text.contains(said), "\(words): \(text)")
                #expect(!text.contains("renaming identifier of"), "\(words): \(text)")
            }
        }
    }

    @Test func `several classes are asked about in one sentence`() throws {
        try withRenamed(["Filter", "Preset"]) { app in
            let words = ["diff", "App", "--format", "markdown"]
            let report = try momtool(words, in: app.folder).output
            let parts = report.components(separatedBy: "SwiftData cannot rename a class: if it is")
            #expect(parts.count == 2, "\(report)")
            #expect(!report.contains("set the renaming identifier"), "\(report)")
        }
    }
}

import Diagnostics
import Foundation
import ModelHashing
import ModelLoading
import ObjectModel
import TestSupport
import Testing

struct SwiftNewVersionTests {
    @Test func `a version of shared classes is frozen, and the next one lists the classes`() throws
    {
        try SwiftApp.with(SwiftApp.sources) { app in
            let before = try #require(app.hashes("SchemaV1"))
            let run = try app.run("new-version")
            #expect(run.status == 0, "\(run.errors)")
            #expect(app.hashes("SchemaV1") == before)
            #expect(app.hashes("SchemaV2") == before)
            #expect(try app.text("Models.swift") == SwiftApp.live)
            let schemas = try app.text("Schemas.swift")
            #expect(schemas.contains("SchemaV1.self,\n            SchemaV2.self"))
            #expect(
                schemas.contains(
                    "[.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)]"
                )
            )
            #expect(schemas.contains("Schema(versionedSchema: SchemaV2.self)"))
            #expect(try app.text("SchemaV2.swift").contains("Schema.Version(2, 0, 0)"))
            try app.edit("Models.swift", "var mood: Int?", to: "var mood: Int?\n    var rank: Int?")
            #expect(app.hashes("SchemaV1") == before && app.hashes("SchemaV2") != before)
            try expectRun("lint App", in: app.folder, nil, not: ["error:"])
        }
    }

    @Test func `a version with classes of its own is copied, and the aliases follow`() throws {
        try SwiftApp.journal { app in
            let before = try #require(app.hashes("SchemaV3"))
            let old = try app.files()
            let run = try app.run("new-version")
            #expect(run.status == 0, "\(run.errors)")
            #expect(app.hashes("SchemaV3") == before && app.hashes("SchemaV4") == before)
            let new = try app.text("SchemaV4.swift")
            #expect(new.contains("enum SchemaV4: VersionedSchema"))
            #expect(new.contains("extension SchemaV4 {") && !new.contains("SchemaV3"))
            #expect(new.contains("Schema.Version(4, 0, 0)"))
            #expect(
                SwiftApp.changes(old["App/SchemaV3.swift"] ?? "", try app.text("SchemaV3.swift"))
                    == [
                        "-typealias Notebook = SchemaV3.Notebook",
                        "-typealias Entry = SchemaV3.Entry",
                        "+typealias Entry = SchemaV4.Entry",
                        "+typealias Notebook = SchemaV4.Notebook",
                    ]
            )
            #expect(
                SwiftApp.changes(
                    old["App/JournalMigrationPlan.swift"] ?? "",
                    try app.text("JournalMigrationPlan.swift")
                ) == [
                    "-static var stages: [MigrationStage] { [addNotebooks, renameText] }",
                    "-[SchemaV1.self, SchemaV2.self, SchemaV3.self]",
                    "+[SchemaV1.self, SchemaV2.self, SchemaV3.self, SchemaV4.self]",
                    "+static var stages: [MigrationStage] { [addNotebooks, renameText, .lightweight(fromVersion: SchemaV3.self, toVersion: SchemaV4.self)] }",
                ]
            )
        }
    }

    @Test(arguments: [true, false])
    func `a version inside another type gets its next one there`(isOwn: Bool) throws {
        let nap = """
            @Model final class Nap {
                var a: Int = 1
                init() {}
            }
            """
        let source = """
            import SwiftData

            struct App {
                enum SchemaV1: VersionedSchema {
                    static let versionIdentifier = Schema.Version(1, 0, 0)
                    static var models: [any PersistentModel.Type] { [Nap.self] }
                    \(isOwn ? nap : "")
                }

                enum Plan: SchemaMigrationPlan {
                    static var schemas: [any VersionedSchema.Type] { [SchemaV1.self] }
                    static var stages: [MigrationStage] { [] }
                }
            }
            \(isOwn ? "" : nap)
            """
        try SwiftApp.with(["App.swift": source]) { app in
            let before = try #require(app.hashes("SchemaV1"))
            let run = try app.run("new-version")
            #expect(run.status == 0, "\(run.errors)")
            #expect(app.hashes("SchemaV1") == before && app.hashes("SchemaV2") == before)
            let new = try app.text("SchemaV2.swift")
            #expect(new.contains("extension App {\n    enum SchemaV2: VersionedSchema"), "\(new)")
            #expect(try app.text("App.swift").contains("[SchemaV1.self, SchemaV2.self]"))
        }
    }

    @Test func `classes without a version become two versions and a plan`() throws {
        try SwiftApp.with(["Models.swift": SwiftApp.live]) { app in
            let before = try #require(app.hashes("unversioned"))
            let run = try app.run("new-version")
            #expect(run.status == 0, "\(run.errors)")
            #expect(app.hashes("SchemaV1") == before && app.hashes("SchemaV2") == before)
            #expect(try app.text("Models.swift") == SwiftApp.live)
            #expect(run.errors.contains("ModelMigrationPlan"))
            try app.edit(
                "Models.swift",
                "var name: String",
                to: "var color = 0\n    var name: String"
            )
            #expect(app.hashes("SchemaV1") == before && app.hashes("SchemaV2") != before)
        }
    }

    @Test(
        arguments: [
            ["add", "attribute", "Entry.rating", "Double"], ["add", "entity", "Tag"],
            ["set", "Entry.text", "--optional", "yes"], ["rename", "Entry.text", "body"],
            ["remove", "Entry.mood"], ["remove", "Entry.mood", "--new-version"],
            ["move", "Entry.text", "Notebook"], ["apply", "edits.yml"], ["undo-version"],
        ]
    )
    func `classes are changed by hand`(words: [String]) throws {
        try SwiftApp.with(SwiftApp.sources) { app in
            try write("- {remove: attribute Entry.mood}\n", "edits.yml", in: app.folder)
            let before = try app.files()
            let run = try momtool(["model", words[0], "App"] + words.dropFirst(), in: app.folder)
            #expect(run.status == 64, "\(run.errors)")
            let words = "Swift sources are changed by hand, in the @Model classes and the plan"
            #expect(run.errors.contains(words) && run.errors.contains("new-version App"))
            #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
            #expect(try app.files() == before)
        }
    }
}

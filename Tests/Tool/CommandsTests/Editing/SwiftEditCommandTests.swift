import Diagnostics
import Foundation
import ModelHashing
import ModelLoading
import ObjectModel
import TestSupport
import Testing

/// The commands that edit `@Model` classes and their versions by their syntax.
struct SwiftEditCommandTests {
    @Test func `a property is added, renamed and removed, and all else stays`() throws {
        try SwiftApp.with(SwiftApp.sources) { app in
            let added = try app.run("add", "attribute", "Entry.rating", "Double", "--default", "0")
            #expect(added.status == 0, "\(added.errors)")
            #expect(
                SwiftApp.changes(SwiftApp.live, try app.text("Models.swift")) == [
                    "+var rating: Double = 0"
                ]
            )
            let removed = try app.run("remove", "Entry.rating")
            #expect(removed.status == 0, "\(removed.errors)")
            #expect(try app.text("Models.swift") == SwiftApp.live)
            let renamed = try app.run("rename", "Entry.text", "body")
            #expect(renamed.status == 0, "\(renamed.errors)")
            #expect(
                SwiftApp.changes(SwiftApp.live, try app.text("Models.swift")) == [
                    #"-self.text = text"#, #"-var text: String = """#,
                    #"-#Index<Entry>([\.text], [\.title, \.text])"#,
                    #"+#Index<Entry>([\.body], [\.title, \.body])"#,
                    #"+@Attribute(originalName: "text") var body: String = """#,
                    #"+self.body = text"#,
                ]
            )
            let back = try app.run("rename", "Entry.body", "text")
            #expect(back.status == 0, "\(back.errors)")
            #expect(try app.text("Models.swift") == SwiftApp.live)
            #expect(try app.text("Schemas.swift") == SwiftApp.schema)
        }
    }

    @Test func `the plan of an edit has its lines, written or tried`() throws {
        let head = "changes\n  Entry.rating "
        try SwiftApp.with(SwiftApp.sources) { app in
            let (tried, added) = (
                try app.run("add", "attribute", "Entry.rating", "Double", "--plan", "--dry-run"),
                try app.run("add", "attribute", "Entry.rating", "Double", "--plan")
            )
            #expect(tried.status == 0 && tried.errors.contains(head), "\(tried.errors)")
            #expect(added.status == 0 && added.output.contains(head), "\(added.output)")
        }
    }

    @Test func `a renamed relationship is renamed in the inverse, and options keep their order`()
        throws
    {
        try SwiftApp.with(SwiftApp.sources) { app in
            let run = try app.run("rename", "Entry.notebook", "book")
            #expect(run.status == 0, "\(run.errors)")
            let text = try app.text("Models.swift")
            #expect(text.contains(#"@Relationship(originalName: "notebook") var book: Notebook?"#))
            #expect(text.contains(#"inverse: \Entry.book)"#))
            let other = try app.run("rename", "Notebook.entries", "pages")
            #expect(other.status == 0, "\(other.errors)")
            #expect(
                try app.text("Models.swift").contains(
                    #"@Relationship(deleteRule: .cascade, originalName: "entries", inverse: \Entry.book) var pages"#
                )
            )
            let key = try app.run("rename", "Entry.id", "key")
            #expect(key.status == 0, "\(key.errors)")
            #expect(
                try app.text("Models.swift").contains(
                    #"@Attribute(.unique, originalName: "id") var key: UUID  // the key"#
                )
            )
        }
    }

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
            let edit = try app.run("rename", "Entry.text", "body")
            #expect(edit.status == 0 && edit.output.contains("SchemaV1 → SchemaV2: lightweight"))
            #expect(app.hashes("SchemaV1") == before && app.hashes("SchemaV2") != before)
            let lint = try momtool(["lint", "App"], in: app.folder)
            #expect(!lint.output.contains("error:"), "\(lint.output)")
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
            let rename = try app.run("rename", "Entry.mood", "feeling")
            #expect(rename.status == 0, "\(rename.errors)")
            #expect(app.hashes("SchemaV3") == before)
            #expect(try app.text("SchemaV4.swift").contains("originalName: \"mood\""))
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
            let add = try app.run("add", "attribute", "Nap.quality", "Double", "--default", "0.5")
            #expect(add.status == 0, "\(add.errors)")
            #expect(app.hashes("SchemaV1") == before && app.hashes("SchemaV2") != before)
            let wrong = try app.run("add", "attribute", "Nap.b", "Doubel", "--default", "0.5")
            #expect(wrong.status == 64 && wrong.errors.contains("did you mean 'Double'"))
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
            let add = try app.run("add", "attribute", "Notebook.color", "String")
            #expect(add.status == 0 && add.output.contains("SchemaV1 → SchemaV2: lightweight"))
            #expect(app.hashes("SchemaV1") == before)
        }
    }

    @Test func `a locked version is not edited, and --new-version makes the next one first`() throws
    {
        try SwiftApp.with(SwiftApp.sources) { app in
            #expect(try momtool(["lock", "App"], in: app.folder).status == 0)
            let before = try app.files()
            let refused = try app.run("remove", "Entry.mood")
            #expect(refused.status == 3 && refused.errors.contains("new-version"))
            let dry = try app.run("remove", "Entry.mood", "--new-version", "--dry-run")
            #expect(dry.status == 0 && dry.output.contains("+++"), "\(dry.errors)")
            #expect(try app.files() == before)
            let done = try app.run("remove", "Entry.mood", "--new-version")
            #expect(done.status == 0 && done.output.contains("loses Entry.mood"), "\(done.errors)")
            let check = try momtool(["lock", "App", "--check"], in: app.folder)
            #expect(!check.output.contains("was edited"), "\(check.output)")
        }
    }

    @Test(
        arguments: [
            ["add", "attribute", "Entry.text", "String"], ["add", "attribute", "None.x", "String"],
            ["add", "attribute", "Entry.a b", "String"], ["add", "index", "Entry.byText"],
            ["add", "attribute", "Entry.x", "Int; evil()"],
            ["add", "attribute", "Entry.x", "Integer 64", "--default", "many"],
            ["add", "attribute", "Entry.x", "String", "--optional", "no"],
            ["add", "attribute", "Entry.x", "Unknown"],
            ["rename", "Entry.text", "title"], ["rename", "Entry.none", "x"],
            ["rename", "Entry.text", "a: Int; var b"], ["remove", "Entry.none"],
            ["remove", "Entry.text"], ["remove", "Entry.notebook"], ["remove", "Entry"],
        ]
    )
    func `what cannot be is refused, and nothing is written`(words: [String]) throws {
        try SwiftApp.with(SwiftApp.sources) { app in
            let before = try app.files()
            let run = try momtool(["model", words[0], "App"] + words.dropFirst(), in: app.folder)
            #expect([3, 64].contains(run.status) && !run.wasKilled, "\(run.status) \(run.errors)")
            #expect(!run.errors.isEmpty)
            #expect(try app.files() == before)
        }
    }

    @Test func `a class that an older version lists too is not edited for it`() throws {
        let older = """
            import SwiftData
            enum SchemaV0: VersionedSchema {
                static let versionIdentifier = Schema.Version(0, 1, 0)
                static var models: [any PersistentModel.Type] { [Entry.self, Notebook.self] }
            }
            """
        try SwiftApp.with(SwiftApp.sources.merging(["Old.swift": older]) { $1 }) { app in
            let before = try app.files()
            let run = try app.run("remove", "Entry.mood")
            #expect(run.status == 3 && run.errors.contains("'SchemaV0'"), "\(run.errors)")
            #expect(try app.files() == before)
        }
    }
}

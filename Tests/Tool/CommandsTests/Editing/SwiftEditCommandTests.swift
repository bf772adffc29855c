import Diagnostics
import Foundation
import ModelHashing
import ModelLoading
import ObjectModel
import TestSupport
import Testing

/// The commands that edit `@Model` classes and their versions by their syntax.
struct SwiftEditCommandTests {
    /// Sources in a folder `App`, and runs of the commands on it.
    private struct App {
        let folder: URL

        func run(_ words: String...) throws -> CommandResult {
            try momtool(["model", words[0], "App"] + words.dropFirst(), in: folder)
        }

        func text(_ name: String) throws -> String {
            try String(contentsOf: folder.appending(path: "App/\(name)"), encoding: .utf8)
        }

        /// All files with their texts.
        func files() throws -> [String: String] {
            let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
                .filter { $0.hasSuffix(".swift") }
            return Dictionary(
                uniqueKeysWithValues: try names.map {
                    ($0, try String(contentsOf: folder.appending(path: $0), encoding: .utf8))
                }
            )
        }

        func hashes(_ version: String) -> ModelHashes? {
            readSwiftBundle(at: folder.appending(path: "App").path).value.version(named: version)?
                .hashes
        }
    }

    private func with(_ files: [String: String], _ body: (App) throws -> Void) throws {
        try withFolder { folder in
            let place = folder.appending(path: "App")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            for (name, text) in files {
                try Data(text.utf8).write(to: place.appending(path: name))
            }
            try body(App(folder: folder))
        }
    }

    private static let live = """
        import Foundation
        import SwiftData

        @Model
        final class Entry {
            #Index<Entry>([\\.text], [\\.title, \\.text])

            @Attribute(.unique) var id: UUID  // the key
            var title: String = ""
            /// What was written.
            var text: String = ""
            var mood: Int?
            var notebook: Notebook?

            init(id: UUID = UUID(), text: String) {
                self.id = id
                self.text = text
            }
        }

        @Model
        final class Notebook {
            var name: String = ""
            @Relationship(deleteRule: .cascade, inverse: \\Entry.notebook) var entries: [Entry] = []

            init(name: String) { self.name = name }
        }
        """

    private static let schema = """
        import SwiftData

        enum SchemaV1: VersionedSchema {
            static let versionIdentifier = Schema.Version(1, 0, 0)
            static var models: [any PersistentModel.Type] { [Entry.self, Notebook.self] }
        }

        enum AppPlan: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] {
                [
                    SchemaV1.self
                ]
            }
            static var stages: [MigrationStage] { [] }
        }

        let schema = Schema(versionedSchema: SchemaV1.self)
        """

    private static let sources = ["Models.swift": live, "Schemas.swift": schema]

    private func journal(_ body: (App) throws -> Void) throws {
        let folder = Corpus.package.appending(path: "Models/Journal")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let files = try names.filter { $0.hasSuffix(".swift") }.map {
            ($0, try String(contentsOf: folder.appending(path: $0), encoding: .utf8))
        }
        try with(Dictionary(uniqueKeysWithValues: files), body)
    }

    /// The lines that a change takes away and adds.
    private func changes(_ old: String, _ new: String) -> [String] {
        new.components(separatedBy: "\n").difference(from: old.components(separatedBy: "\n"))
            .map { change in
                switch change {
                case .remove(_, let line, _): "-" + line.drop { $0 == " " }
                case .insert(_, let line, _): "+" + line.drop { $0 == " " }
                }
            }
    }

    @Test func `a property is added, renamed and removed, and all else stays`() throws {
        try with(Self.sources) { app in
            let added = try app.run("add", "attribute", "Entry.rating", "Double", "--default", "0")
            #expect(added.status == 0, "\(added.errors)")
            #expect(
                changes(Self.live, try app.text("Models.swift")) == ["+var rating: Double = 0"]
            )
            let removed = try app.run("remove", "Entry.rating")
            #expect(removed.status == 0, "\(removed.errors)")
            #expect(try app.text("Models.swift") == Self.live)
            let renamed = try app.run("rename", "Entry.text", "body")
            #expect(renamed.status == 0, "\(renamed.errors)")
            #expect(
                changes(Self.live, try app.text("Models.swift")) == [
                    #"-self.text = text"#, #"-var text: String = """#,
                    #"-#Index<Entry>([\.text], [\.title, \.text])"#,
                    #"+#Index<Entry>([\.body], [\.title, \.body])"#,
                    #"+@Attribute(originalName: "text") var body: String = """#,
                    #"+self.body = text"#,
                ]
            )
            let back = try app.run("rename", "Entry.body", "text")
            #expect(back.status == 0, "\(back.errors)")
            #expect(try app.text("Models.swift") == Self.live)
            #expect(try app.text("Schemas.swift") == Self.schema)
        }
    }

    @Test func `a renamed relationship is renamed in the inverse, and options keep their order`()
        throws
    {
        try with(Self.sources) { app in
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
        try with(Self.sources) { app in
            let before = try #require(app.hashes("SchemaV1"))
            let run = try app.run("new-version")
            #expect(run.status == 0, "\(run.errors)")
            #expect(app.hashes("SchemaV1") == before)
            #expect(app.hashes("SchemaV2") == before)
            #expect(try app.text("Models.swift") == Self.live)
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
        try journal { app in
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
                changes(old["App/SchemaV3.swift"] ?? "", try app.text("SchemaV3.swift")) == [
                    "-typealias Notebook = SchemaV3.Notebook", "-typealias Entry = SchemaV3.Entry",
                    "+typealias Entry = SchemaV4.Entry", "+typealias Notebook = SchemaV4.Notebook",
                ]
            )
            #expect(
                changes(
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

    @Test func `classes without a version become two versions and a plan`() throws {
        try with(["Models.swift": Self.live]) { app in
            let before = try #require(app.hashes("unversioned"))
            let run = try app.run("new-version")
            #expect(run.status == 0, "\(run.errors)")
            #expect(app.hashes("SchemaV1") == before && app.hashes("SchemaV2") == before)
            #expect(try app.text("Models.swift") == Self.live)
            #expect(run.errors.contains("ModelMigrationPlan"))
            let add = try app.run("add", "attribute", "Notebook.color", "String")
            #expect(add.status == 0 && add.output.contains("SchemaV1 → SchemaV2: lightweight"))
            #expect(app.hashes("SchemaV1") == before)
        }
    }

    @Test func `a locked version is not edited, and --new-version makes the next one first`() throws
    {
        try with(Self.sources) { app in
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
            ["add", "attribute", "Entry.a b", "String"], ["add", "entity", "Tag"],
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
        try with(Self.sources) { app in
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
        try with(Self.sources.merging(["Old.swift": older]) { $1 }) { app in
            let before = try app.files()
            let run = try app.run("remove", "Entry.mood")
            #expect(run.status == 3 && run.errors.contains("'SchemaV0'"), "\(run.errors)")
            #expect(try app.files() == before)
        }
    }
}

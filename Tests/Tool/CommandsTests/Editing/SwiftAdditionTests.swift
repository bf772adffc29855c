import Diagnostics
import Foundation
import ModelLoading
import ObjectModel
import TestSupport
import Testing

/// The commands that add classes and relationships to `@Model` sources.
struct SwiftAdditionTests {
    private func entity(_ name: String, _ version: String, in app: SwiftApp) -> Entity? {
        readSwiftBundle(at: app.folder.appending(path: "App").path).value
            .version(named: version)?.model.entities.first { $0.name == name }
    }

    @Test func `a class stands behind the last one and in the list, and all else stays`() throws {
        try SwiftApp.with(SwiftApp.sources) { app in
            let run = try app.run("add", "entity", "Tag")
            #expect(run.status == 0, "\(run.errors)")
            #expect(
                try app.text("Models.swift")
                    == SwiftApp.live + "\n\n@Model\nfinal class Tag {\n    init() {}\n}\n"
            )
            #expect(
                SwiftApp.changes(SwiftApp.schema, try app.text("Schemas.swift")) == [
                    "-static var models: [any PersistentModel.Type] { [Entry.self, Notebook.self] }",
                    "+static var models: [any PersistentModel.Type] { [Entry.self, Notebook.self, Tag.self] }",
                ]
            )
            let name = try app.run("add", "attribute", "Tag.name", "String", "--default", "")
            #expect(name.status == 0, "\(name.errors)")
            #expect(entity("Tag", "SchemaV1", in: app)?.attributes.map(\.name) == ["name"])
            let again = try app.run("add", "entity", "Tag")
            #expect(again.status == 3 && again.errors.contains("'Tag' already"))
        }
    }

    @Test func `a class of a version's own is written there, with an alias as the others have`()
        throws
    {
        try SwiftApp.journal { app in
            let old = try app.files()
            let before = try #require(app.hashes("SchemaV2"))
            let run = try app.run("add", "entity", "Tag")
            #expect(run.status == 0, "\(run.errors)")
            let tag = entity("Tag", "SchemaV3", in: app)
            #expect(tag != nil && app.hashes("SchemaV2") == before)
            let changes = SwiftApp.changes(
                old["App/SchemaV3.swift"] ?? "",
                try app.text("SchemaV3.swift")
            )
            #expect(changes.contains("+typealias Tag = SchemaV3.Tag"), "\(changes)")
            #expect(changes.contains("+final class Tag {"), "\(changes)")
            #expect(changes.filter { $0.hasPrefix("-") }.count == 1, "\(changes)")
            for (name, text) in old where name != "App/SchemaV3.swift" {
                #expect(try app.files()[name] == text)
            }
        }
    }

    @Test func `a relationship gets its inverse, its rule and its limits`() throws {
        try SwiftApp.with(SwiftApp.sources) { app in
            #expect(try app.run("add", "entity", "Tag").status == 0)
            let many = try app.run(
                "add",
                "relationship",
                "Entry.tags",
                "--to",
                "Tag",
                "--many",
                "--inverse",
                "entry",
                "--delete",
                "cascade",
                "--max",
                "9"
            )
            #expect(many.status == 0, "\(many.errors)")
            let text = try app.text("Models.swift")
            #expect(
                text.contains(
                    #"    @Relationship(deleteRule: .cascade, maximumModelCount: 9, inverse: \Tag.entry) var tags: [Tag] = []"#
                )
            )
            #expect(text.contains("final class Tag {\n    var entry: Entry?\n    init() {}"))
            let tags = entity("Entry", "SchemaV1", in: app)?.relationships.first {
                $0.name == "tags"
            }
            #expect(tags?.isToMany == true && tags?.inverseName == "entry")
            #expect(tags?.deleteRule == .cascade)
            let one = try app.run(
                "add",
                "relationship",
                "Notebook.cover",
                "--to",
                "Entry",
                "--inverse",
                "covered"
            )
            #expect(one.status == 0, "\(one.errors)")
            #expect(
                try app.text("Models.swift").contains(
                    #"    @Relationship(inverse: \Entry.covered) var cover: Entry?"#
                )
            )
            let itself = try app.run(
                "add",
                "relationship",
                "Tag.parent",
                "--to",
                "Tag",
                "--inverse",
                "children"
            )
            #expect(itself.status == 0, "\(itself.errors)")
            let lint = try momtool(["lint", "App"], in: app.folder)
            #expect(!lint.output.contains("error:"), "\(lint.output)")
        }
    }

    @Test func `a property that leads back already is tied`() throws {
        let files = [
            "Models.swift": """
            import SwiftData
            @Model public final class Shop { public var books: [Book]; public init() { books = [] } }
            @available(iOS 18, macOS 15, *)
            @Model public final class Book { public init() {} } // the last
            let container = try ModelContainer(for: Shop.self, Book.self)
            """
        ]
        try SwiftApp.with(files) { app in
            let run = try app.run(
                "add",
                "relationship",
                "Book.shop",
                "--to",
                "Shop",
                "--inverse",
                "books"
            )
            #expect(run.status == 0, "\(run.errors)")
            let shop = entity("Book", "unversioned", in: app)?.relationships.first
            #expect(shop?.inverseName == "books" && shop?.destinationEntity == "Shop")
            let taken = try app.run(
                "add",
                "relationship",
                "Book.owner",
                "--to",
                "Shop",
                "--inverse",
                "books"
            )
            #expect(taken.status == 3 && taken.errors.contains("Book.shop"), "\(taken.errors)")
            let before = try app.text("Models.swift")
            let tag = try app.run("add", "entity", "Tag")
            #expect(tag.status == 0 && tag.errors.contains("Tag.self"), "\(tag.errors)")
            #expect(
                SwiftApp.changes(before, try app.text("Models.swift")) == [
                    "+", "+@available(iOS 18, macOS 15, *)", "+@Model", "+public final class Tag {",
                    "+public init() {}", "+}",
                ]
            )
        }
    }

    @Test func `line ends stay those of the file, and a dry run writes nothing`() throws {
        let files = SwiftApp.sources.mapValues { $0.replacing("\n", with: "\r\n") }
        try SwiftApp.with(files) { app in
            let dry = try app.run("add", "entity", "Tag", "--dry-run")
            #expect(dry.status == 0 && dry.output.contains("+final class Tag {"))
            #expect(try app.text("Models.swift") == files["Models.swift"])
            #expect(try app.run("add", "entity", "Tag").status == 0)
            let text = Array(try app.text("Models.swift").utf8)
            #expect(text.count { $0 == 0x0A } == text.count { $0 == 0x0D })
        }
    }

    @Test(
        arguments: [
            ["add", "entity", "Entry"], ["add", "entity", "SchemaV1"], ["add", "entity", "a b"],
            ["add", "entity", "X { } evil()"], ["add", "entity", ""],
            ["add", "entity", "Entry.Tag"],
            ["add", "entity", "Tag", "--set", "parentEntity=Entry"], ["add", "entity", "AppPlan"],
            ["add", "relationship", "Entry.next", "--to", "Entry"],
            ["add", "relationship", "Entry.next", "--inverse", "last"],
            ["add", "relationship", "Entry.next", "--to", "Entyr", "--inverse", "last"],
            ["add", "relationship", "Entry.text", "--to", "Entry", "--inverse", "last"],
            ["add", "relationship", "Entry.x", "--to", "Notebook", "--inverse", "entries"],
            ["add", "relationship", "Entry.x", "--to", "Notebook", "--inverse", "name"],
            ["add", "relationship", "Entry.x", "--to", "Notebook", "--inverse", "a: Int; var b"],
            ["add", "relationship", "Entry.x)", "--to", "Notebook", "--inverse", "y"],
            ["add", "relationship", "x", "--to", "Notebook", "--inverse", "y"],
            [
                "add", "relationship", "Entry.x", "--to", "Notebook", "--inverse", "y", "--set",
                "ordered=YES",
            ],
            ["add", "relationship", "Entry.x", "--to", "Notebook", "--inverse", "y", "--max", "2"],
            [
                "add", "relationship", "Entry.x", "--to", "Notebook", "--inverse", "y",
                "--optional", "no",
            ],
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

    @Test func `a list of models that is computed is named, and left to a person`() throws {
        var files = SwiftApp.sources
        files["Schemas.swift"] = SwiftApp.schema.replacing(
            "{ [Entry.self, Notebook.self] }",
            with:
                "{ all() }\n    static func all() -> [any PersistentModel.Type] { [Entry.self, Notebook.self] }"
        )
        try SwiftApp.with(files) { app in
            let run = try app.run("add", "entity", "Tag")
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.errors.contains("Schemas.swift:6 lists classes: write Tag.self there too"))
            #expect(try app.text("Schemas.swift") == files["Schemas.swift"])
        }
    }

    @Test func `lists for containers are named also where a version lists the class`() throws {
        let container = """
            import SwiftData

            func open() throws -> ModelContainer {
              let unused = Entry.self
              let schema = Schema([
                Entry.self,
                Notebook.self,
              ])
              return try ModelContainer(for: schema, migrationPlan: AppPlan.self)
            }

            """
        var sources = SwiftApp.sources
        sources["Opening.swift"] = container
        try SwiftApp.with(sources) { app in
            let run = try app.run("add", "entity", "Tag")
            #expect(run.status == 0, "\(run.errors)")
            let line = "App/Opening.swift:6 lists classes: write Tag.self there too"
            #expect(run.errors.contains(line), "\(run.errors)")
        }
    }

    @Test func `a class is indented as its file is, and a comparison tells what it holds`() throws {
        var sources = SwiftApp.sources
        sources["Models.swift"] = SwiftApp.live.replacing("    ", with: "  ")
        try SwiftApp.with(sources) { app in
            #expect(try app.run("new-version").status == 0)
            #expect(try app.run("add", "entity", "Tag").status == 0)
            #expect(try app.text("Models.swift").hasSuffix("final class Tag {\n  init() {}\n}\n"))
            let name = try app.run("add", "attribute", "Tag.name", "String", "--default", "x")
            #expect(name.status == 0, "\(name.errors)")
            for format in ["text", "markdown"] {
                let shown = try momtool(["diff", "App", "--format", format], in: app.folder)
                let line = "+ name: mandatory String, default"
                #expect(shown.output.contains(line), "\(shown.output)")
                // The configuration of SwiftData holds all entities: that one of them is new is said once.
                #expect(!shown.output.contains("configuration"))
            }
        }
    }
}

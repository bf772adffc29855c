import Foundation
import TestSupport
import Testing

/// The command that removes classes of `@Model` sources.
struct SwiftRemovalTests {
    @Test func `a class that was added goes again, and all else stays`() throws {
        try SwiftApp.with(SwiftApp.sources) { app in
            let before = try #require(app.hashes("SchemaV1"))
            #expect(try app.run("add", "entity", "Tag").status == 0)
            let run = try app.run("remove", "entity", "Tag")
            #expect(run.status == 0, "\(run.errors)")
            #expect(try app.text("Models.swift") == SwiftApp.live + "\n")
            #expect(try app.text("Schemas.swift") == SwiftApp.schema)
            #expect(app.hashes("SchemaV1") == before)
        }
    }

    @Test func `a class that relationships lead to goes with them, or not at all`() throws {
        try SwiftApp.with(SwiftApp.sources) { app in
            let files = try app.files()
            let refused = try app.run("remove", "Notebook")
            #expect(refused.status == 3, "\(refused.errors)")
            #expect(refused.errors.contains("Entry.notebook would lead to nothing"))
            #expect(try app.files() == files)
            let run = try app.run("remove", "Notebook", "--with-references")
            #expect(run.status == 0, "\(run.errors)")
            let text = try app.text("Models.swift")
            #expect(!text.contains("Notebook") && !text.contains("notebook"), "\(text)")
            #expect(text.hasSuffix("        self.text = text\n    }\n}\n"), "\(text)")
            #expect(
                SwiftApp.changes(SwiftApp.schema, try app.text("Schemas.swift")) == [
                    "-static var models: [any PersistentModel.Type] { [Entry.self, Notebook.self] }",
                    "+static var models: [any PersistentModel.Type] { [Entry.self] }",
                ]
            )
            let last = try app.run("remove", "Entry")
            #expect(last.status == 3 && last.errors.contains("the only class"), "\(last.errors)")
        }
    }

    @Test func `a class of a version's own goes with its alias, and other versions keep theirs`()
        throws
    {
        try SwiftApp.journal { app in
            let old = try app.files()
            let before = try #require(app.hashes("SchemaV2"))
            #expect(try app.run("add", "entity", "Tag").status == 0)
            let run = try app.run("remove", "Tag")
            #expect(run.status == 0, "\(run.errors)")
            #expect(try app.files() == old)
            #expect(app.hashes("SchemaV2") == before)
            let notebook = try app.run("remove", "Notebook", "--with-references", "--new-version")
            #expect(notebook.status == 0, "\(notebook.errors)")
            let new = try app.text("SchemaV4.swift")
            #expect(!new.contains("class Notebook") && new.contains("class Entry"), "\(new)")
            #expect(!new.contains("Notebook.self"), "\(new)")
            #expect(app.hashes("SchemaV3") == app.hashes("SchemaV3"))
            #expect(try app.files()["App/SchemaV1.swift"] == old["App/SchemaV1.swift"])
        }
    }

    @Test func `lists of containers lose the class, and code that names it is told`() throws {
        let app = """
            import SwiftData

            /// What is kept of a day.
            @Model
            final class Day {
                var text: String = ""
            }

            /// A word for days.
            @Model
            final class Tag {
                var word: String = ""
            }  // the last one

            let container = try ModelContainer(for: Schema([
                Day.self,
                Tag.self,
            ]))

            func words(_ tags: [Tag]) -> [String] { tags.map(\\.word) }
            """
        try SwiftApp.with(["App.swift": app]) { swift in
            let run = try swift.run("remove", "Tag")
            #expect(run.status == 0, "\(run.errors)")
            let gone = """
                /// A word for days.
                @Model
                final class Tag {
                    var word: String = ""
                }  // the last one


                """
            #expect(
                try swift.text("App.swift")
                    == app.replacing(gone, with: "").replacing("\n    Tag.self,", with: "")
            )
            #expect(run.errors.contains("code names 'Tag' at App/App.swift:13"), "\(run.errors)")
        }
    }
}

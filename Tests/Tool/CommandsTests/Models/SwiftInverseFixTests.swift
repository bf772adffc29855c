import Foundation
import TestSupport
import Testing

struct SwiftInverseFixTests {
    private static let app = """
        import SwiftData

        @Model final class Author {
            /// What they wrote.
            var books: [Book] = []  // kept
            @SwiftData.Relationship(deleteRule: .cascade) var notes: [Note] = []
            @Relationship  public var cards: [Card] = []
            init() {}
        }
        @Model final class Book {
            var author: Author?
            init() {}
        }
        @Model final class Note {
            var writer: Author?
            init() {}
        }
        @Model final class Card {
            var owner: Author?
            init() {}
        }

        """

    private static let fixed =
        app
        .replacing(
            "    var books: [Book]",
            with: "    @Relationship(inverse: \\Book.author) var books: [Book]"
        )
        .replacing("deleteRule: .cascade", with: "deleteRule: .cascade, inverse: \\Note.writer")
        .replacing("@Relationship  public", with: "@Relationship(inverse: \\Card.owner)  public")

    private func inFolder(_ text: String, _ body: (URL, URL) throws -> Void) throws {
        try withFolder { folder in
            let file = folder.appending(path: "App/Models.swift")
            try makeFolder(folder.appending(path: "App"))
            try Data(text.utf8).write(to: file)
            try body(folder, file)
        }
    }

    private func hash(_ folder: URL) throws -> String { try momtool("hash App", in: folder).output }

    @Test(arguments: ["\n", "\r\n"])
    func `the inverse is written on the side that the finding names, and every other byte stays`(
        lineEnd: String
    ) throws {
        let text = Self.app.replacing("\n", with: lineEnd)
        try inFolder(text) { folder, file in
            let before = try hash(folder)
            try expectRun("lint App", in: folder, nil, "3 notes; --fix cures 3")
            let fix = try momtool("lint App --fix", in: folder)
            #expect(fix.status == 0 && fix.errors.hasSuffix("App: 3 fixed\n"), "\(fix.errors)")
            #expect(fix.output.contains("nothing found"), "\(fix.output)")
            let written = try String(decoding: Data(contentsOf: file), as: UTF8.self)
            #expect(Array(written.utf8) == Array(Self.fixed.replacing("\n", with: lineEnd).utf8))
            #expect(try hash(folder) == before)
            let again = try momtool("lint App --fix", in: folder)
            #expect(again.errors.isEmpty, "\(again.errors)")
        }
    }

    @Test func `a locked version is not written into, and nothing counts there as curable`() throws
    {
        try inFolder(Self.app) { folder, file in
            #expect(try momtool("lock App", in: folder).status == 0)
            try expectRun("lint App", in: folder, nil, not: ["--fix cures"])
            let fix = try momtool("lint App --fix", in: folder)
            #expect(fix.errors.contains("is locked, and stores in the field have it"))
            #expect(try fileText(file) == Self.app)
        }
    }

    @Test func `two sides that SwiftData keeps apart are a choice`() throws {
        let text = Self.app.replacing("    var author", with: "    @Relationship var author")
            .replacing("    var books", with: "    @Relationship var books")
        try inFolder(text) { folder, file in
            try expectRun("lint App --fix", in: folder, nil, "warning: Author.books")
            let written = try fileText(file)
            #expect(written.contains("@Relationship var books") && written.contains("Note.writer"))
        }
    }

    @Test func `the list of rules shows it`() throws {
        let rules = try momtool("rules").output.split(separator: "\n")
        let line = rules.first { $0.contains("inverse-not-written") }
        #expect(line?.hasSuffix("(fix)") == true, "\(line ?? "")")
    }
}

struct StatedInverseTests {
    @Test func `an inverse that the settings do not want is not asked for`() throws {
        try withFolder { folder in
            let text = """
                import SwiftData
                @Model class Folder { var name: String = ""; init() {} }
                @Model class Item { var folder: Folder?; init() {} }

                """
            try write(text, "Models.swift", in: folder)
            try expectRun("check", in: folder, nil, "give 'folder' an inverse")
            try write("swift:\n  inverses:\n    Item.folder: none\n", ".momtool.yml", in: folder)
            let told = try momtool("check", in: folder)
            #expect(!told.output.contains("give 'folder' an inverse"), "\(told.output)")
            #expect(told.output.contains("'folder' has no inverse, as swift: inverses:"))
            #expect(told.output.contains("[missing-inverse]"))
        }
    }
}

struct ManyInversesTests {
    @Test func `thousands of inverses are written`() throws {
        try withFolder { folder in
            var lines = ["import SwiftData"]
            for owner in 0..<20 {
                let names = (0..<50).map { "Part\(owner)x\($0)" }
                lines.append("@Model final class Owner\(owner) {\n    init() {}")
                lines += names.enumerated().map { "    var part\($0): \($1)?" }
                lines.append("}")
                lines += names.map {
                    "@Model final class \($0) {\n    init() {}\n    var owner: Owner\(owner)?\n}"
                }
            }
            let file = folder.appending(path: "Models.swift")
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
            let fixed = try momtool("lint Models.swift --fix", in: folder)
            #expect(fixed.status == 0, "\(fixed.errors.prefix(500))")
            #expect(fixed.errors.contains("Models.swift: 1000 fixed"))
            let text = try fileText(file)
            #expect(text.components(separatedBy: "@Relationship(inverse: ").count == 1001)
        }
    }
}

import Foundation
import TestSupport
import Testing

/// What transcripts do not say: names with control characters, and links.
struct ModelEditCommandTests {
    @Test(
        arguments: [
            ["add", "attribute", "Book.\u{1B}x", "String"],
            ["add", "attribute", "Book.x", "String", "--default", "\u{1}"],
            ["new-version", "a\u{1B}b"], ["new-version", "a\nb"],
            ["new-version", String(repeating: "x", count: 300)],
            ["rename-version", "Shop", "a\u{1B}b"],
        ]
    )
    func `control characters and long names are refused, and nothing is written`(
        words: [String]
    ) throws {
        try EditedShop.with { shop in
            let before = try shop.files()
            let run = try shop.run(words)
            #expect([3, 64].contains(run.status) && !run.errors.isEmpty, "\(run.errors)")
            #expect(!run.errors.contains("\u{1B}"))
            #expect(try shop.files() == before)
        }
    }

    @Test func `nothing is written through a link`() throws {
        try EditedShop.with { shop in
            let outside = shop.folder.appending(path: "outside")
            let contents = shop.file("Shop 2")
            try FileManager.default.moveItem(at: contents, to: outside)
            try FileManager.default.createSymbolicLink(at: contents, withDestinationURL: outside)
            let run = try shop.run(["add", "entity", "Tag"])
            #expect(run.status == 3 && run.errors.contains("symbolic link"))
            #expect(try fileText(outside) == EditedShop.source)
        }
    }
}

import Foundation
import TestSupport
import Testing

struct UniqueIndexPlanTests {
    /// The new version has a constraint; the store has two titles of the old one.
    private func withStore(_ titles: [String], _ body: (URL) throws -> Void) throws {
        let title = "<attribute name='title' optional='YES' attributeType='String'/>"
        let constraint =
            "<uniquenessConstraints><uniquenessConstraint><constraint value='title'/>"
            + "</uniquenessConstraint></uniquenessConstraints>"
        try withFolder { folder in
            let versions = ["V1": "", "V2": constraint].mapValues {
                "<model><entity name='Song'>\(title)\($0)</entity></model>"
            }
            let bundle = folder.appending(path: "Music.xcdatamodeld")
            try writeBundle(versions, current: "V2", at: bundle)
            let rows = titles.enumerated().map { #"{"@id": "p\#($0 + 1)", "title": "\#($1)"}"# }
            try Data(#"{"Song": [\#(rows.joined(separator: ", "))]}"#.utf8)
                .write(to: folder.appending(path: "rows.json"))
            let create = ["create", "Old.sqlite", "--model", "Music.xcdatamodeld"]
            let made = try momtool(create + ["--version", "V1", "--rows", "rows.json"], in: folder)
            #expect(made.status == 0, "\(made.errors)")
            try body(folder)
        }
    }

    private let fails = "rows with equal values make the migration fail (134110)"
    private let plan = ["plan", "Music.xcdatamodeld", "--store", "Old.sqlite"]

    @Test func `without a store the table is kept, and rows may stand against its index`() throws {
        try withStore(["a", "b"]) { folder in
            let plan = ["plan", "Music.xcdatamodeld", "--from", "V1"]
            let text = try momtool(plan, in: folder).output
            #expect(text.contains("ZSONG  keep, and a unique index: \(fails)"), "\(text)")
            #expect(text.contains("duplicates make the whole migration fail"), "\(text)")
        }
    }

    @Test func `the rows of a store that has no duplicates are not spoken of as such`() throws {
        try withStore(["a", "b"]) { folder in
            let text = try momtool(plan, in: folder).output
            #expect(text.contains("ZSONG  keep, and a unique index\n"), "\(text)")
            #expect(text.contains("no row of this store stands against it"), "\(text)")
            #expect(!text.contains("duplicate") && !text.contains("134110"), "\(text)")
            let json = try momtool(plan + ["--format", "json"], in: folder).output
            #expect(json.contains("\"uniqueIndexes\""), "\(json)")
            #expect(!json.contains("duplicate"), "\(json)")
        }
    }

    @Test func `the rows of a store that has duplicates are counted`() throws {
        try withStore(["a", "a"]) { folder in
            let text = try momtool(plan, in: folder).output
            #expect(text.contains("ZSONG  keep, and a unique index: \(fails)"), "\(text)")
            #expect(text.contains("Song: 1 row at stake (Z_PK 2)"), "\(text)")
            #expect(!text.contains("no row of this store"), "\(text)")
        }
    }
}

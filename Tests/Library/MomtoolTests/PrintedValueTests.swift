import Foundation
import Momtool
import TestSupport
import Testing

struct PrintedValueTests {
    private let model: Model
    private let store: Store

    init() throws {
        let package = Corpus.package
        model = try Model(package.appending(path: "Models/Library.xcdatamodeld").path)
        store = try Store(package.appending(path: "Fixtures/Library-V1.sqlite").path)
    }

    @Test func `models and their parts are a line each`() throws {
        let description = "\(model)"
        #expect(description.hasSuffix("Library.xcdatamodeld: V1, V2, V3, V4, V5, V6 (current)"))
        let version = try model.version("V1")
        #expect("\(version)" == "V1: \(version.model)" && "\(version.model)" == "5 entities")
        let book = try #require(version.model.entities.first { $0.name == "Book" })
        #expect("\(book)" == "Book: 8 attributes, 3 relationships")
        let pages = try #require(book.attributes.first { $0.name == "pages" })
        #expect("\(pages)" == "pages: Integer 16, default 0")
        let loans = try #require(book.relationships.first { $0.name == "loans" })
        #expect("\(loans)" == "loans: to-many Loan, inverse book")
    }

    @Test func `stores, migrations and examinations are a line each`() throws {
        #expect("\(store)" == "\(store.path): store \(store.identifier), 5 entities")
        let migration = try Migrator(model, to: "V2").migration(of: store)
        #expect("\(migration)" == "V1 → V2: lightweight V1 → V2", "\(migration)")
        #expect(migration.steps.map(\.description) == migration.steps.map(\.title))
        let examination = try Doctor(model).examine(store.path)
        #expect("\(examination)".hasPrefix("of V1, "), "\(examination)")
        for line in ["\(migration)", "\(examination)"] { #expect(!line.contains("\n")) }
    }

    @Test func `a mark prints where it is, and not how that is found`() throws {
        let entity = try #require(model.versions.first?.model.entities.first)
        #expect("\(entity.source)".contains("contents:"), "\(entity.source)")
    }

    @Test func `notes and rows of a finding print as they stand in it`() {
        let note = Diagnostic.Note(
            "write this",
            at: FileLocation(path: "a", line: 2),
            lines: ["b", "c"]
        )
        #expect("\(note)" == "a:2: note: write this\nb\nc")
        let finding = Diagnostic("rule", "is wrong", notes: [note])
        #expect("\(finding)" == "error: is wrong [rule]\n\(note)")
        let rows = Diagnostic.AffectedRows(count: 6, unit: "row", keys: [1, 2, 3, 4, 5])
        #expect("\(rows)" == "6 rows (Z_PK 1, 2, 3, 4, 5, …)")
        let one = Diagnostic.AffectedRows(count: 1, unit: "link", keys: [])
        #expect("\(one)" == "1 link")
    }

    @Test func `a finding of rows goes through JSON with its rows and its loss`() throws {
        let losses = try Migrator(model).losses(of: store)
        let data = try JSONEncoder().encode(losses)
        let read = try JSONDecoder().decode([Diagnostic].self, from: data)
        #expect(!read.isEmpty && read.map(\.description) == losses.map(\.description))
        #expect(read.map(\.loss) == losses.map(\.loss))
        #expect(read.map(\.rows?.description) == losses.map(\.rows?.description))
        #expect(read.map(\.location) == losses.map(\.location))
        let objects = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
        let keys: Set = ["rule", "severity", "message", "path", "element", "notes", "rows", "loss"]
        #expect(objects.allSatisfy { Set($0.keys) == keys })
    }

    @Test func `an error says what is wrong by every name`() {
        let error: any Error = MomtoolError(.noInput, "a", "gone", "no-such-file")
        #expect(error.localizedDescription == "a: error: gone [no-such-file]")
        #expect("\(error)" == error.localizedDescription)
    }

    @Test func `a name that breaks lines begins none`() throws {
        try withFolder { folder in
            let bundle = folder.appending(path: "Shop\nerror: no.xcdatamodeld")
            let source = "<model><entity name=\"A&#10;error: B\"/></model>"
            try writeBundle([source], at: bundle)
            let hostile = try Model(bundle.path)
            #expect(!"\(hostile)".contains("\n"))
            let entity = try #require(hostile.versions.first?.model.entities.first)
            #expect(entity.name.contains("\n") && !"\(entity)".contains("\n"))
        }
    }
}

import Diagnostics
import Foundation
import ObjectModel
import RowExchange
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

struct RowComparisonTests {
    private func store(
        _ name: String,
        _ rows: String = PartialExportTests.rows,
        _ model: ManagedObjectModel = .everything,
        in folder: URL
    ) throws -> ComparedStore {
        let path = folder.appending(path: name).path
        let source = RowSource(bytes: Array(rows.utf8), path: "rows.json")
        try createStore(at: path, model: model, rows: source)
        return try ComparedStore(StoreFile(path: path), model)
    }

    private func differences(
        _ old: ComparedStore,
        _ new: ComparedStore,
        _ options: RowComparisonOptions = RowComparisonOptions()
    ) throws -> (lines: [String], comparison: RowComparison) {
        var lines: [String] = []
        let compared = try compareRows(of: old, with: new, options: options) { difference in
            let properties = difference.properties.map {
                "\($0.name): \($0.old ?? "-") → \($0.new ?? "-")"
            }
            lines.append(
                "\(difference.kind.rawValue) \(difference.object) \(properties.joined(separator: "; "))"
            )
        }
        #expect(compared.diagnostics.isEmpty)
        return (lines, compared.value)
    }

    @Test func `equal stores do not differ`() throws {
        try withFolder { folder in
            let found = try differences(
                store("A.sqlite", in: folder),
                store("B.sqlite", in: folder)
            )
            #expect(found.lines.isEmpty)
            #expect(found.comparison.total.isEqual && found.comparison.total.same == 5)
        }
    }

    @Test func `texts that look the same are told apart by their bytes, as SQLite does`() throws {
        try withFolder { folder in
            func author(_ name: String) -> String {
                #"{"Author": [{"@id": "p1", "name": "\#(name)"}]}"#
            }
            let old = try store("A.sqlite", author("Zo\u{EB}"), in: folder)
            let new = try store("B.sqlite", author("Zoe\u{308}"), in: folder)
            let found = try differences(old, new)
            #expect(found.comparison.total.changed == 1)
            #expect(found.lines.first?.hasPrefix("changed Author/p1 name: ") == true)
            let keys = RowComparisonOptions(naturalKeys: ["Author": ["name"]])
            let total = try differences(old, new, keys).comparison.total
            #expect(total.removed == 1 && total.added == 1 && total.changed == 0)
        }
    }

    @Test func `values, links, new and lost objects are told apart`() throws {
        try withFolder { folder in
            let rows = """
                {"Author": [{"@id": "p1", "name": "Ada", "age": 8, "books": ["Book/p1"]},
                {"@id": "p2", "name": "Bob", "friends": ["Author/p1"], "books": ["Book/p2"]}],
                "Book": [{"@id": "p1", "title": "One"}, {"@id": "p2", "title": "Two"}],
                "Tag": [{"@id": "p1", "label": "new", "books": ["Book/p2"]}]}
                """
            let found = try differences(
                store("A.sqlite", in: folder),
                store("B.sqlite", rows, in: folder)
            )
            #expect(
                found.lines == [
                    "changed Author/p1 age: -7 → 8; bookCount: 2 → 1; house: \"House/p1\" → -",
                    "changed Author/p2 bookCount: 0 → 1",
                    "changed Book/p2 author: \"Author/p1\" → \"Author/p2\"; authorName: \"Ada\" → \"Bob\"; "
                        + "tags: - → [\"Tag/p1\"]",
                    "removed House/p1 built: \"2000-01-01T00:00:00Z\" → -; "
                        + "code: \"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\" → -; number: 5 → -; "
                        + "owner: \"Author/p1\" → -; size: {\"width\":2.0} → -; sold: true → -",
                    "added Tag/p1 books: - → [\"Book/p2\"]; label: - → \"new\"",
                ],
                "\(found.lines.joined(separator: "\n"))"
            )
            let total = found.comparison.total
            #expect(total.added == 1 && total.removed == 1)
            #expect(total.changed == 3 && total.same == 1)
        }
    }

    private func pair(_ first: String, _ second: String) -> ManagedObjectModel {
        let text = Attribute("text", .string)
        let links = [
            ManagedObjectModel.to(first, "one", inverse: nil),
            ManagedObjectModel.to(second, "other", inverse: nil, isToMany: true),
        ]
        return ManagedObjectModel([
            Entity(first, [text]), Entity(second, [text]),
            Entity("Owner", [text], relationships: links),
        ])
    }

    private func pairRows(_ first: String, _ second: String) -> String {
        """
        {"\(first)": [{"@id": "p1", "text": "one"}], "\(second)": [{"@id": "p1", "text": "two"}],
        "Owner": [{"@id": "p1", "one": "\(first)/p1", "other": ["\(second)/p1"], "text": "Alpha/p1"}]}
        """
    }

    @Test(arguments: [
        ["Alpha": "Beta", "Beta": "Alpha"],
        ["Alpha": "\u{301}Acute"],
        ["Beta": "A/p", "Alpha": "Beta"],
    ])
    func `renamed entities are found again, each name read once`(names: [String: String]) throws {
        try withFolder { folder in
            let (old, new) = (
                ("Alpha", "Beta"), (names["Alpha"] ?? "Alpha", names["Beta"] ?? "Beta")
            )
            var options = RowComparisonOptions()
            options.renames.entities = names
            for (index, (from, to)) in [(old, new), (new, old)].enumerated() {
                let (rows, model) = (pairRows(from.0, from.1), pair(from.0, from.1))
                let (newRows, newModel) = (pairRows(to.0, to.1), pair(to.0, to.1))
                let found = try differences(
                    store("Old\(index).sqlite", rows, model, in: folder),
                    store("New\(index).sqlite", newRows, newModel, in: folder),
                    options
                )
                #expect(found.lines == [])
                #expect(found.comparison.total.same == 3)
                options.renames.entities = Dictionary(uniqueKeysWithValues: names.map { ($1, $0) })
            }
        }
    }

    @Test func `a link to another entity under the old name differs`() throws {
        try withFolder { folder in
            let rows = """
                {"Alpha": [{"@id": "p1", "text": "two"}], "Beta": [{"@id": "p1", "text": "one"}],
                "Owner": [{"@id": "p1", "one": "Alpha/p1", "other": ["Beta/p1"], "text": "Alpha/p1"}]}
                """
            var options = RowComparisonOptions()
            options.renames.entities = ["Alpha": "Beta", "Beta": "Alpha"]
            let found = try differences(
                store("A.sqlite", pairRows("Alpha", "Beta"), pair("Alpha", "Beta"), in: folder),
                store("B.sqlite", rows, pair("Alpha", "Beta"), in: folder),
                options
            )
            #expect(found.lines.count == 1)
            #expect(found.lines.first?.contains("one: \"Beta/p1\" → \"Alpha/p1\"") == true)
        }
    }

    private let turned = """
        {"Author": [{"@id": "p1", "name": "Bob", "friends": ["Author/p2"]},
        {"@id": "p2", "name": "Ada", "age": -7, "books": ["Book/p2", "Book/p1"], "house": "House/p1"}],
        "Book": [{"@id": "p1", "title": "Two"}, {"@id": "p2", "title": "One"}],
        "House": [{"@id": "p1", "number": 5, "built": "2000-01-01T00:00:00Z", "sold": true,
        "code": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "size": {"width": 2}}]}
        """

    @Test func `objects find each other by a natural key, and links are compared by it`() throws {
        try withFolder { folder in
            let (old, new) = (
                try store("A.sqlite", in: folder), try store("B.sqlite", turned, in: folder)
            )
            #expect(try differences(old, new).comparison.total.changed > 2)
            let options = RowComparisonOptions(naturalKeys: ["Author": ["name"], "Book": ["title"]])
            let found = try differences(old, new, options)
            #expect(found.lines.isEmpty, "\(found.lines)")
            #expect(found.comparison.total.same == 5)
            try SQLiteConnection(path: new.file.path, mode: .readWrite)
                .execute("UPDATE ZAUTHOR SET ZAGE = 3 WHERE ZNAME = 'Ada'")
            let changed = try ComparedStore(StoreFile(path: new.file.path), .everything)
            #expect(
                try differences(old, changed, options).lines == [
                    "changed Author[name=\"Ada\"] age: -7 → 3"
                ]
            )
        }
    }

    @Test func `objects that share a natural key are paired in the order of their keys`() throws {
        try withFolder { folder in
            let one =
                "{\"Tag\": [{\"@id\": \"p1\", \"label\": \"x\"}, {\"@id\": \"p2\", \"label\": \"x\"}]}"
            let two = "{\"Tag\": [{\"@id\": \"p5\", \"label\": \"x\"}]}"
            let found = try differences(
                store("A.sqlite", one, in: folder),
                store("B.sqlite", two, in: folder),
                RowComparisonOptions(naturalKeys: ["Tag": ["label"]])
            )
            #expect(found.lines == ["removed Tag[label=\"x\"] label: \"x\" → -"])
        }
    }

    @Test func `stores of two versions are compared by what they have`() throws {
        try withFolder { folder in
            var model = ManagedObjectModel.everything
            model.entities.append(Entity("Zone", [Attribute("name", .string)]))
            for place in model.entities.indices where model.entities[place].name == "Author" {
                model.entities[place].attributes.append(Attribute("nick", .string))
            }
            let rows = PartialExportTests.rows.replacing(
                "\"age\": -7",
                with: "\"age\": -7, \"nick\": \"A\""
            )
            let found = try differences(
                store("A.sqlite", in: folder),
                store("B.sqlite", rows, model, in: folder)
            )
            #expect(found.lines == ["changed Author/p1 nick: - → \"A\""])
            #expect(found.comparison.entities.map(\.name).contains("Zone"))
        }
    }

    @Test(arguments: [
        RowComparisonOptions(entities: ["Nobody"]),
        RowComparisonOptions(naturalKeys: ["Nobody": ["name"]]),
        RowComparisonOptions(naturalKeys: ["Author": ["nickname"]]),
        RowComparisonOptions(naturalKeys: ["Author": ["books"]]),
    ])
    func `entities and attributes that are not there are refused`(_ options: RowComparisonOptions)
        throws
    {
        try withFolder { folder in
            let (old, new) = (try store("A.sqlite", in: folder), try store("B.sqlite", in: folder))
            #expect(throws: StoreError.self) { try differences(old, new, options) }
        }
    }
}

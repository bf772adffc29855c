import Diagnostics
import Foundation
import ObjectModel
import RowExchange
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

struct PartialExportTests {
    /// A predicate about authors, and the names that it matches; Ada has two books, Bob none.
    static let predicates: [(text: String, names: [String])] = [
        ("TRUEPREDICATE", ["Ada", "Bob"]),
        ("name == 'Ada'", ["Ada"]),
        ("name ==[c] 'ADA'", ["Ada"]),
        ("name != 'Ada'", ["Bob"]),
        ("age < 10", ["Ada"]),
        ("NOT age < 10", ["Bob"]),
        ("age == nil", ["Bob"]),
        ("age != nil AND age BETWEEN {-10, 0}", ["Ada"]),
        ("age IN {-7, 5}", ["Ada"]),
        ("name IN {'Bob', 'Eve'}", ["Bob"]),
        ("name BEGINSWITH 'A' OR name ENDSWITH 'b'", ["Ada", "Bob"]),
        ("name CONTAINS[cd] 'Ö'", ["Bob"]),
        ("name LIKE '?d*'", ["Ada"]),
        ("name LIKE[c] 'B*'", ["Bob"]),
        ("'Adam' CONTAINS name", ["Ada"]),
        ("books.@count == 2", ["Ada"]),
        ("bookCount + 1 > 2", ["Ada"]),
        ("ANY books.title == 'Two'", ["Ada"]),
        ("NONE books.title == 'Two'", ["Bob"]),
        ("ALL books.title LIKE 'T*'", ["Bob"]),
        ("SUBQUERY(books, $b, $b.title == 'One' AND $b.author.name == 'Ada').@count > 0", ["Ada"]),
        ("house.number == 5", ["Ada"]),
        ("house == nil", ["Bob"]),
        ("house.built < '2001-01-01T00:00:00Z'", ["Ada"]),
        ("house.code == 'e621e1f8-c36c-495a-93fc-0c247a3e6e5f'", ["Ada"]),
        ("house.size.width > 1.5", ["Ada"]),
        ("house.sold == YES", ["Ada"]),
        ("ANY friends.name == 'Ada'", ["Bob"]),
        ("uppercase:(name) == 'ADA'", ["Ada"]),
        ("house.built >= '2000-01-01' AND house.built < '2000-01-02'", ["Ada"]),
        ("house.built BETWEEN {'1999-12-01', '1999-12-31'}", []),
        ("SELF == 'Author/p2'", ["Bob"]),
        ("SELF IN {'Author/p1', 'Author/p7', 'House/p2'}", ["Ada"]),
        ("NOT SELF IN {'Author/p1'}", ["Bob"]),
        ("SELF != 'House/p1'", ["Ada", "Bob"]),
        ("SELF == nil", []),
        ("house == 'House/p1'", ["Ada"]),
        ("house == 'Place/p1'", ["Ada"]),
        ("house == 'Author/p1'", []),
        ("SELF == house.owner", ["Ada"]),
        ("SELF == house", []),
        ("ANY books == 'Book/p1'", ["Ada"]),
        ("NONE books == 'Book/p1'", ["Bob"]),
    ]

    static let rows = """
        {"Author": [{"@id": "a", "name": "Ada", "age": -7, "house": "House/h", "books": ["Book/1", "Book/2"]},
        {"@id": "b", "name": "Bob", "friends": ["Author/a"]}],
        "Book": [{"@id": "1", "title": "One"}, {"@id": "2", "title": "Two"}],
        "House": [{"@id": "h", "number": 5, "built": "2000-01-01T00:00:00Z", "sold": true,
        "code": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "size": {"width": 2}}]}
        """

    private func export(_ options: RowExportOptions) throws -> String {
        var text = ""
        try withTemporaryFolder { folder in
            let path = folder + "/a.sqlite"
            let source = RowSource(bytes: Array(Self.rows.utf8), path: "rows.json")
            try createStore(at: path, model: .everything, rows: source)
            let file = try StoreFile(path: path)
            let bytes = try exportedRows(of: file, model: .everything, options: options)
            text = String(decoding: bytes, as: UTF8.self)
        }
        return text
    }

    @Test(arguments: predicates)
    func `a predicate chooses rows as it would in Core Data`(
        predicate: String,
        names: [String]
    ) throws {
        // Friends are their own inverse, so Ada has Bob for a friend too.
        let text = try export(RowExportOptions(entities: ["Author"], predicate: predicate))
        let found = ["Ada", "Bob"].filter { text.contains("\"name\": \"\($0)\"") }
        #expect(found == names, "\(text)")
    }

    @Test(arguments: [
        "name MATCHES 'A.*'", "color == 1", "name ==", "name ==[l] 'x'", "books == nil",
        "ANY name == 'x'", "age LIKE '1'", "name == %@", "house.built < 'yesterday'", "$x == 1",
        "name LIKE name", "FUNCTION(name, 'x') == 1", "cache == 'x'", "SELF == 'Ada'",
        "SELF == 'Nobody/p1'",
        "house == 'x-coredata://00000000-0000-0000-0000-000000000000/House/p1'",
        "house.built > '2000-13-01'", "SELF BEGINSWITH 'Author'",
    ])
    func `a predicate without a form in SQL is refused`(predicate: String) throws {
        let error = #expect(throws: StoreError.self) {
            try export(RowExportOptions(entities: ["Author"], predicate: predicate))
        }
        guard case .rows(let diagnostic)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(diagnostic.rule == "unusable-predicate")
    }

    @Test func `an entity is exported with those below it`() throws {
        let text = try export(RowExportOptions(entities: ["Item"]))
        #expect(text.contains("\"Book\": ["))
        #expect(!text.contains("\"House\": ["))
        #expect(throws: StoreError.self) {
            try export(RowExportOptions(entities: ["Nobody"]))
        }
    }

    @Test func `a store of another version is not exported`() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/a.sqlite"
            try createStore(at: path, model: .everything)
            var other = ManagedObjectModel.everything
            other.entities[0].attributes.append(Attribute("more", .string))
            let file = try StoreFile(path: path)
            let error = #expect(throws: StoreError.self) {
                try exportedRows(of: file, model: other)
            }
            guard case .rows(let diagnostic)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(diagnostic.rule == "other-model")
        }
    }
}

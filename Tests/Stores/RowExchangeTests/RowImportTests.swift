import Diagnostics
import Foundation
import ObjectModel
import RowExchange
import SQLiteAccess
import StoreFormat
import Testing

struct RowImportTests {
    struct BadRows: Sendable, CustomTestStringConvertible {
        var text: String
        var rule: RuleID
        var place: String

        init(_ text: String, _ rule: RuleID, _ place: String) {
            self.text = text
            self.rule = rule
            self.place = place
        }

        var testDescription: String { text }
    }

    static let syntax = [
        BadRows("", "invalid-json", "1:1"),
        BadRows("[]", "invalid-json", "1:1"),
        BadRows("{\"Tag\": [", "invalid-json", "1:10"),
        BadRows("{\"Tag\": [{\"label\": \"x\"}", "invalid-json", "1:24"),
        BadRows("{\"Tag\": [{\"label\": \"x", "invalid-json", "1:20"),
        BadRows("{\"Tag\":\n[{\"label\"\n: tru}]}", "invalid-json", "3:3"),
        BadRows("{\"Tag\": [{\"label\": \"\\q\"}]}", "invalid-json", "1:22"),
        BadRows("{\"Tag\": [{\"label\": \"\\ud800\"}]}", "invalid-json", "1:22"),
        BadRows("{\"Tag\": [{\"label\": \"a\nb\"}]}", "invalid-json", "1:22"),
        BadRows("{\"Tag\": []} x", "invalid-json", "1:13"),
        BadRows("{\"Tag\": [], }", "invalid-json", "1:13"),
        BadRows("{\"Tag\": [], \"Tag\": []}", "unexpected-rows-shape", "1:13"),
        BadRows("{\"Tag\": [1]}", "invalid-json", "1:10"),
        BadRows("{\"Tag\": [{\"@id\": 1}]}", "invalid-json", "1:18"),
        BadRows("{\"Tag\": [{\"@id\": \"\"}]}", "unexpected-rows-shape", "1:18"),
        BadRows("{\"Author\": [{\"name\": \"A\", \"age\": 01}]}", "invalid-json", "1:34"),
        BadRows(
            "{\"Tag\": [{\"label\": \(String(repeating: "[", count: 100_000))}]}",
            "invalid-json",
            "1:84"
        ),
    ]

    static let content = [
        BadRows("{\"Nobody\": []}", "unknown-row-entity", "1:2"),
        BadRows("{\"Place\": [{}]}", "unknown-row-entity", "1:2"),
        BadRows("{\"Tag\": [{\"color\": \"x\"}]}", "unknown-row-property", "1:11"),
        BadRows("{\"Tag\": [{\"cache\": \"x\"}]}", "unknown-row-property", "1:11"),
        BadRows("{\"Tag\": [{\"label\": 1}]}", "wrong-row-value", "1:20"),
        BadRows("{\"Tag\": [{\"label\": {}}]}", "wrong-row-value", "1:20"),
        BadRows(
            "{\"Tag\": [{\"label\": \"a\", \"label\": \"b\"}]}",
            "unexpected-rows-shape",
            "1:25"
        ),
        BadRows(
            "{\"Author\": [{\"name\": \"A\", \"age\": 40000}]}",
            "row-value-out-of-range",
            "1:34"
        ),
        BadRows("{\"Author\": [{\"name\": \"A\", \"age\": 1.5}]}", "wrong-row-value", "1:34"),
        BadRows("{\"Author\": [{\"name\": \"A\", \"age\": true}]}", "wrong-row-value", "1:34"),
        BadRows("{\"Author\": [{\"age\": 1}]}", "missing-row-value", "1:14"),
        BadRows("{\"Author\": [{\"name\": null}]}", "missing-row-value", "1:14"),
        BadRows("{\"Author\": [{\"name\": \"A\"}, {\"name\": \"A\"}]}", "duplicate-row-value", ""),
        BadRows(
            "{\"Tag\": [{\"@id\": \"a\"},\n{\"@id\": \"a\"}]}",
            "duplicate-row-id",
            "2:12"
        ),
        BadRows("{\"Tag\": [{\"books\": [\"Book/p1\"]}]}", "dangling-row-reference", "1:21"),
        BadRows("{\"Tag\": [{\"books\": [\"Bok/p1\"]}]}", "unknown-row-entity", "1:21"),
        BadRows("{\"Tag\": [{\"books\": [\"p1\"]}]}", "wrong-row-value", "1:21"),
        BadRows("{\"Tag\": [{\"books\": \"Book/p1\"}]}", "wrong-row-value", "1:20"),
        BadRows(
            "{\"Tag\": [{\"@id\": \"p1\", \"books\": [\"Tag/p1\"]}]}",
            "wrong-row-value",
            "1:34"
        ),
        BadRows("{\"Book\": [{\"title\": \"x\"}]}", "missing-row-value", "1:12"),
        BadRows(
            "{\"Book\": [{\"@id\": \"b\", \"cover\": \"AA=A\", \"author\": \"Author/a\"}]}",
            "wrong-row-value",
            "1:33"
        ),
        BadRows("{\"Place\": []}", "unknown-row-entity", "1:2"),
        BadRows(
            "{\"House\": [{\"number\": 9223372036854775808}]}",
            "row-value-out-of-range",
            "1:23"
        ),
        BadRows("{\"House\": [{\"worth\": 1e999}]}", "row-value-out-of-range", "1:22"),
        BadRows("{\"House\": [{\"built\": \"2001-02-29T00:00:00Z\"}]}", "wrong-row-value", "1:22"),
        BadRows("{\"House\": [{\"code\": \"123\"}]}", "wrong-row-value", "1:21"),
        BadRows("{\"House\": [{\"size\": {\"depth\": 1}}]}", "unknown-row-property", "1:22"),
        BadRows("{\"House\": [{\"size\": 1}]}", "wrong-row-value", "1:21"),
    ]

    @Test(arguments: syntax + content)
    func `bad rows are refused with their place and nothing is left`(bad: BadRows) throws {
        try withTemporaryFolder { folder in
            let source = RowSource(bytes: Array(bad.text.utf8), path: "rows.json")
            let error = #expect(throws: RowExchangeError.self) {
                try createStore(at: folder + "/a.sqlite", model: .everything, rows: source)
            }
            guard case .rows(let diagnostic)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(diagnostic.rule == bad.rule, "\(diagnostic)")
            let place = [diagnostic.location?.line, diagnostic.location?.column]
                .compactMap { $0.map(String.init) }.joined(separator: ":")
            #expect(place == bad.place, "\(diagnostic)")
            let left = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(left == [])
        }
    }

    static let contradictions = [
        // The book names another author than the list that holds it.
        """
        {"Author": [{"@id": "a", "name": "A", "books": ["Book/1"]}, {"@id": "b", "name": "B"}],
        "Book": [{"@id": "1", "author": "Author/b"}]}
        """,
        // The author lists other books.
        """
        {"Author": [{"@id": "a", "name": "A", "books": ["Book/2"]}],
        "Book": [{"@id": "1", "author": "Author/a"}, {"@id": "2", "author": "Author/a"}]}
        """,
        // The author lists no books.
        """
        {"Author": [{"@id": "a", "name": "A", "books": []}],
        "Book": [{"@id": "1", "author": "Author/a"}]}
        """,
        // Two authors list one book.
        """
        {"Author": [{"@id": "a", "name": "A", "books": ["Book/1"]},
        {"@id": "b", "name": "B", "books": ["Book/1"]}], "Book": [{"@id": "1"}]}
        """,
        // The tag lists other books than those that list it.
        """
        {"Author": [{"@id": "a", "name": "A"}], "Tag": [{"@id": "t", "books": ["Book/1"]}],
        "Book": [{"@id": "1", "author": "Author/a"}, {"@id": "2", "author": "Author/a", "tags": ["Tag/t"]}]}
        """,
        // One house for two owners.
        """
        {"Author": [{"@id": "a", "name": "A", "house": "House/1"}, {"@id": "b", "name": "B",
        "house": "House/1"}], "House": [{"@id": "1"}]}
        """,
        // The house says otherwise.
        """
        {"Author": [{"@id": "a", "name": "A", "house": "House/1"}, {"@id": "b", "name": "B"}],
        "House": [{"@id": "1", "owner": "Author/b"}]}
        """,
    ]

    @Test(arguments: contradictions)
    func `sides of a link that contradict each other are refused`(text: String) throws {
        try withTemporaryFolder { folder in
            let source = RowSource(bytes: Array(text.utf8), path: "rows.json")
            let error = #expect(throws: RowExchangeError.self) {
                try createStore(at: folder + "/a.sqlite", model: .everything, rows: source)
            }
            guard case .rows(let diagnostic)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(diagnostic.rule == "contradicting-links", "\(diagnostic)")
            #expect(diagnostic.location?.line != nil)
        }
    }

    @Test(arguments: [
        // Both sides, the one, and the other.
        #"{"Author": [{"@id": "p1", "books": ["Book/p2", "Book/p1"], "name": "A"}], "#
            + #""Book": [{"@id": "p1", "author": "Author/p1"}, {"@id": "p2", "author": "Author/p1"}]}"#,
        #"{"Author": [{"@id": "p1", "books": ["Book/p2", "Book/p1"], "name": "A"}], "#
            + #""Book": [{"@id": "p1"}, {"@id": "p2"}]}"#,
        #"{"Book": [{"@id": "p1"}, {"@id": "p2"}], "#
            + #""Author": [{"name": "A", "@id": "p1", "books": ["Item/p2", "Item/p1"]}]}"#,
    ])
    func `a link may be written on either side or on both`(text: String) throws {
        let expected = """
            {
            "Author": [
            {"@id": "p1", "bookCount": 2, "books": ["Book/p2", "Book/p1"], "name": "A"}
            ],
            "Book": [
            {"@id": "p1", "author": "Author/p1", "authorName": "A"},
            {"@id": "p2", "author": "Author/p1", "authorName": "A"}
            ]
            }

            """
        try expectExport(of: text, expected)
    }

    @Test func `rows of every kind of value and link come out as they went in`() throws {
        try expectExport(of: Self.whole, Self.whole)
    }

    @Test func `a ring of required links can be written`() throws {
        let text = """
            {
            "Twin": [
            {"@id": "p1", "other": "Twin/p2"},
            {"@id": "p2", "other": "Twin/p1"}
            ]
            }

            """
        try expectExport(of: text, text)
    }

    @Test func `keys follow the texts of the rows`() throws {
        let text = """
            {"Tag": [{"@id": "p7", "label": "a"}, {"@id": "x", "label": "b"}, {"label": "c"},
            {"label": "d", "@id": "p007"}]}
            """
        let expected = """
            {
            "Tag": [
            {"@id": "p7", "label": "a"},
            {"@id": "p8", "label": "b"},
            {"@id": "p9", "label": "d"},
            {"@id": "p10", "label": "c"}
            ]
            }

            """
        try expectExport(of: text, expected)
    }

    @Test func `values that need a file of their own get one`() throws {
        try withTemporaryFolder { folder in
            let bytes = String(repeating: "QUFB", count: 50_000)
            let text = """
                {
                "Author": [
                {"@id": "p1", "bookCount": 1, "books": ["Book/p1"], "name": "A"}
                ],
                "Book": [
                {"@id": "p1", "author": "Author/p1", "authorName": "A", "cover": "\(bytes)"}
                ]
                }

                """
            let path = folder + "/a.sqlite"
            let source = RowSource(bytes: Array(text.utf8), path: "rows.json")
            try createStore(at: path, model: .everything, rows: source)
            let files = try FileManager.default.contentsOfDirectory(
                atPath: folder + "/.a_SUPPORT/_EXTERNAL_DATA"
            )
            #expect(files.count == 1)
            let file = try StoreFile(path: path)
            #expect(try exportedRows(of: file, model: .everything) == Array(text.utf8))
            #expect(try verify(file, against: .everything).map(\.description) == [])
        }
    }

    @Test(arguments: 0..<6)
    func `an import that is stopped leaves nothing`(pieces: Int) throws {
        try withTemporaryFolder { folder in
            #expect(isCancelled(after: pieces, folder + "/a.sqlite"))
            let left = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(left == [])
        }
    }

    private func isCancelled(after pieces: Int, _ path: String) -> Bool {
        let cover = String(repeating: "QUFB", count: 50_000)
        let text = "{\"Book\": [{\"cover\": \"\(cover)\"}, {\"cover\": \"\(cover)\"}]}"
        let source = RowSource(bytes: Array(text.utf8), path: "rows.json")
        var count = 0
        source.shallStop = {
            count += 1
            return count > pieces
        }
        do throws(RowExchangeError) {
            try createStore(at: path, model: .everything, rows: source)
            return false
        } catch {
            guard case .store(let fault) = error else { return false }
            return fault == .cancelled("rows.json")
        }
    }

    private func expectExport(of text: String, _ expected: String) throws {
        try withTemporaryFolder { folder in
            let path = folder + "/a.sqlite"
            let source = RowSource(bytes: Array(text.utf8), path: "rows.json")
            try createStore(at: path, model: .everything, rows: source)
            let file = try StoreFile(path: path)
            let rows = try exportedRows(of: file, model: .everything)
            #expect(String(decoding: rows, as: UTF8.self) == expected)
            #expect(try verify(file, against: .everything).map(\.description) == [])
        }
    }
}

import Diagnostics
import Foundation
import ObjectModel
import RowExchange
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

struct RowImportTests {
    typealias BadRows = (text: String, rule: RuleID, place: String)

    static let syntax: [BadRows] = [
        ("", "invalid-json", "1:1"), ("[]", "invalid-json", "1:1"),
        ("{\"Tag\": [", "invalid-json", "1:10"),
        ("{\"Tag\": [{\"label\": \"x\"}", "invalid-json", "1:24"),
        ("{\"Tag\": [{\"label\": \"x", "invalid-json", "1:20"),
        ("{\"Tag\":\n[{\"label\"\n: tru}]}", "invalid-json", "3:3"),
        ("{\"Tag\": [{\"label\": \"\\q\"}]}", "invalid-json", "1:22"),
        ("{\"Tag\": [{\"label\": \"\\ud800\"}]}", "invalid-json", "1:22"),
        ("{\"Tag\": [{\"label\": \"a\nb\"}]}", "invalid-json", "1:22"),
        ("{\"Tag\": []} x", "invalid-json", "1:13"), ("{\"Tag\": [], }", "invalid-json", "1:13"),
        ("{\"Tag\": [], \"Tag\": []}", "unexpected-rows-shape", "1:13"),
        ("{\"Tag\": [1]}", "invalid-json", "1:10"),
        ("{\"Tag\": [{\"@id\": 1}]}", "invalid-json", "1:18"),
        ("{\"Tag\": [{\"@id\": \"\"}]}", "unexpected-rows-shape", "1:18"),
        ("{\"Author\": [{\"name\": \"A\", \"age\": 01}]}", "invalid-json", "1:34"),
        (
            "{\"Tag\": [{\"label\": \(String(repeating: "[", count: 100_000))}]}", "invalid-json",
            "1:84"
        ),
    ]

    static let content: [BadRows] = [
        ("{\"Nobody\": []}", "unknown-row-entity", "1:2"),
        ("{\"Place\": [{}]}", "unknown-row-entity", "1:2"),
        ("{\"Tag\": [{\"color\": \"x\"}]}", "unknown-row-property", "1:11"),
        ("{\"Tag\": [{\"cache\": \"x\"}]}", "unknown-row-property", "1:11"),
        ("{\"Tag\": [{\"label\": 1}]}", "wrong-row-value", "1:20"),
        ("{\"Tag\": [{\"label\": {}}]}", "wrong-row-value", "1:20"),
        ("{\"Tag\": [{\"label\": \"a\", \"label\": \"b\"}]}", "unexpected-rows-shape", "1:25"),
        ("{\"Author\": [{\"name\": \"A\", \"age\": 40000}]}", "row-value-out-of-range", "1:34"),
        ("{\"Author\": [{\"name\": \"A\", \"age\": 1.5}]}", "wrong-row-value", "1:34"),
        ("{\"Author\": [{\"name\": \"A\", \"age\": true}]}", "wrong-row-value", "1:34"),
        ("{\"Author\": [{\"age\": 1}]}", "missing-row-value", "1:14"),
        ("{\"Author\": [{\"name\": null}]}", "missing-row-value", "1:14"),
        ("{\"Author\": [{\"name\": \"A\"}, {\"name\": \"A\"}]}", "duplicate-row-value", ""),
        ("{\"Tag\": [{\"@id\": \"a\"},\n{\"@id\": \"a\"}]}", "duplicate-row-id", "2:12"),
        ("{\"Tag\": [{\"books\": [\"Book/p1\"]}]}", "dangling-row-reference", "1:21"),
        ("{\"Tag\": [{\"books\": [\"Bok/p1\"]}]}", "unknown-row-entity", "1:21"),
        ("{\"Tag\": [{\"books\": [\"p1\"]}]}", "wrong-row-value", "1:21"),
        ("{\"Tag\": [{\"books\": \"Book/p1\"}]}", "wrong-row-value", "1:20"),
        ("{\"Tag\": [{\"@id\": \"p1\", \"books\": [\"Tag/p1\"]}]}", "wrong-row-value", "1:34"),
        ("{\"Book\": [{\"title\": \"x\"}]}", "missing-row-value", "1:12"),
        (
            "{\"Book\": [{\"@id\": \"b\", \"cover\": \"AA=A\", \"author\": \"Author/a\"}]}",
            "wrong-row-value", "1:33"
        ),
        ("{\"Place\": []}", "unknown-row-entity", "1:2"),
        ("{\"House\": [{\"number\": 9223372036854775808}]}", "row-value-out-of-range", "1:23"),
        ("{\"House\": [{\"worth\": 1e999}]}", "row-value-out-of-range", "1:22"),
        ("{\"House\": [{\"built\": \"2001-02-29T00:00:00Z\"}]}", "wrong-row-value", "1:22"),
        ("{\"House\": [{\"code\": \"123\"}]}", "wrong-row-value", "1:21"),
        ("{\"House\": [{\"size\": {\"depth\": 1}}]}", "unknown-row-property", "1:22"),
        ("{\"House\": [{\"size\": 1}]}", "wrong-row-value", "1:21"),
    ]

    @Test(arguments: syntax + content)
    func `bad rows are refused with their place and nothing is left`(bad: BadRows) throws {
        try withTemporaryFolder { folder in
            let source = RowSource(bytes: Array(bad.text.utf8), path: "rows.json")
            let error = #expect(throws: StoreError.self) {
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
        // The book lists other tags than those that list it.
        """
        {"Author": [{"@id": "a", "name": "A"}], "Tag": [{"@id": "t", "books": ["Book/1"]}, {"@id": "u"}],
        "Book": [{"@id": "1", "author": "Author/a", "tags": ["Tag/u"]}]}
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
            let error = #expect(throws: StoreError.self) {
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
            {"label": "d", "@id": "p007"}, {"label": "e", "@id": "p4503599627370495"}]}
            """
        let expected = """
            {
            "Tag": [
            {"@id": "p7", "label": "a"},
            {"@id": "p8", "label": "b"},
            {"@id": "p9", "label": "d"},
            {"@id": "p10", "label": "e"},
            {"@id": "p11", "label": "c"}
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

    /// What a row gives of a struct with an enum, of an enum with raw values and of one without, and what is stored then.
    @Test(
        arguments: [
            ("", [.text("low"), .text("note 1"), .integer(7), .text("round 1"), .null]),
            (
                #""look": {"mood": "high"}, "size": null"#,
                [.text("high"), .text("note 1"), .null, .text("round 1"), .null]
            ),
            (
                #""look": {"mood": null}, "shape": {"square": "x"}"#,
                [.null, .text("note 1"), .integer(7), .null, .text("x")]
            ),
        ] as [(String, [SQLiteValue])]
    )
    func `an enum of Swift that a row leaves out gets a case`(
        _ given: String,
        _ stored: [SQLiteValue]
    ) throws {
        func composite(_ name: String, _ cases: [String: [EnumCases.Case]], _ required: [[String]])
            -> Attribute
        {
            var attribute = Attribute(
                name: name,
                type: .composite,
                isOptional: false,
                compositeName: name
            )
            attribute.enumCases = EnumCases(cases, required: required)
            return attribute
        }
        let moods = ["low", "high"].map { EnumCases.Case(name: $0, value: .string($0)) }
        let sizes = [EnumCases.Case(name: "small", value: .integer(7))]
        let item = Entity(
            "Item",
            [
                composite("look", ["mood": moods], [["mood"]]),
                composite("size", ["size": sizes], [["size"]]),
                composite("shape", [:], [["round", "square"]]),
            ]
        )
        let note = Attribute(name: "note", type: .string, isOptional: false)
        let model = ManagedObjectModel(
            [item],
            composites: [
                CompositeType("look", [Attribute("mood", .string), note]),
                CompositeType("size", [Attribute("size", .integer64)]),
                CompositeType(
                    "shape",
                    [Attribute("round", .string), Attribute("square", .string)]
                ),
            ]
        )
        try withTemporaryFolder { folder in
            let path = folder + "/a.sqlite"
            var options = RowImportOptions()
            options.missing = .filled
            let text = "{\"Item\": [{\(given)}]}"
            let rows = RowSource(bytes: Array(text.utf8), path: "rows.json")
            _ = try createStore(at: path, model: model, rows: rows, StoreCreationOptions(), options)
            let columns = "ZMOOD, ZNOTE, ZSIZE, ZROUND, ZSQUARE"
            let row = try SQLiteConnection(path: path, mode: .readWrite).rows(
                "SELECT \(columns) FROM ZITEM"
            ).first
            #expect(row == stored)
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
        do throws(StoreError) {
            try createStore(at: path, model: .everything, rows: source)
            return false
        } catch {
            return error == .cancelled("rows.json")
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

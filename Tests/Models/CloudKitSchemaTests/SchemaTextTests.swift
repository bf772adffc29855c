import CloudKitSchema
import Diagnostics
import Foundation
import ObjectModel
import TestSupport
import Testing

struct SchemaTextTests {
    static let language = """
        // before everything: größe
        DEFINE SCHEMA
            CREATE ROLE Keeper;
            RECORD TYPE Shelf (
                "___recordID" REFERENCE QUERYABLE,      -- of the server
                label         STRING SORTABLE searchable QUERYABLE,
                codes         LIST<INT64>, /* a
                list */
                "sortable"    NUMBER PREFERRED AS DOUBLE,
                secret        ENCRYPTED BYTES,
                GRANT READ, WRITE TO Keeper,
                GRANT CREATE TO "_icloud"
            );
        """

    @Test func `every part of the language is read`() throws {
        let read = readSchema(Self.language, path: "s.ckdb")
        #expect(read.diagnostics.isEmpty)
        let type = try #require(read.value.recordType("Shelf"))
        #expect(
            type.fields == [
                RecordField("___recordID", .single(.reference), options: [.queryable]),
                RecordField(
                    "label",
                    .single(.string),
                    options: [.queryable, .searchable, .sortable]
                ),
                RecordField("codes", .list(.int64)),
                RecordField("sortable", .single(.numberAsDouble)),
                RecordField("secret", .single(.bytes), isEncrypted: true),
            ]
        )
        let place = FileLocation(path: "s.ckdb", line: 6, column: 9)
        #expect(type.fields[1].source.element == place)
    }

    @Test func `a schema is written as it is exported, and read again as it was`() {
        let text = readSchema(Self.language, path: "s.ckdb").value.text
        #expect(
            text == """
                DEFINE SCHEMA

                    RECORD TYPE Shelf (
                        "___recordID" REFERENCE QUERYABLE,
                        codes         LIST<INT64>,
                        label         STRING QUERYABLE SEARCHABLE SORTABLE,
                        secret        ENCRYPTED BYTES,
                        "sortable"    NUMBER PREFERRED AS DOUBLE,
                        GRANT WRITE TO "_creator",
                        GRANT CREATE TO "_icloud",
                        GRANT READ TO "_world"
                    );


                """
        )
        let again = readSchema(text, path: "again")
        #expect(again.diagnostics.isEmpty)
        #expect(again.value.text == text)
    }

    @Test(arguments: [
        ("import Foundation", 1, 1, "DEFINE SCHEMA"),
        ("", 1, 1, "DEFINE SCHEMA"),
        ("DEFINE SCHEMA DROP", 1, 15, "'DROP'"),
        ("DEFINE SCHEMA RECORD TYPE A (a TEXT);", 1, 32, "'TEXT'"),
        ("DEFINE SCHEMA RECORD TYPE A (a STRING FAST);", 1, 39, "'FAST'"),
        ("DEFINE SCHEMA RECORD TYPE A (a STRING", 1, 38, "end"),
        ("DEFINE SCHEMA RECORD TYPE A (\na STRING\nb INT64);", 3, 1, "'b'"),
        ("DEFINE SCHEMA RECORD TYPE A (\"a STRING);", 1, 30, "name"),
        ("DEFINE SCHEMA RECORD TYPE A (a LIST STRING);", 1, 37, "'<'"),
        ("DEFINE SCHEMA RECORD TYPE A (GRANT OWN TO b);", 1, 36, "'OWN'"),
        ("DEFINE SCHEMA RECORD TYPE A (a STRING, a INT64);", 1, 40, "'a'"),
        ("DEFINE SCHEMA RECORD TYPE A ();\nRECORD TYPE A ();", 2, 13, "'A'"),
    ])
    func `what is no schema is said where it stands`(
        text: String,
        line: Int,
        column: Int,
        message: String
    ) throws {
        let diagnostic = try #require(readSchema(text, path: "s").diagnostics.first)
        #expect(diagnostic.location == FileLocation(path: "s", line: line, column: column))
        #expect(diagnostic.message.contains(message), "\(diagnostic.message)")
    }

    @Test func `a fault in one field leaves the others`() {
        let text = "DEFINE SCHEMA RECORD TYPE A (a TEXT, b INT64, , c <, d STRING); CREATE ROLE r;"
        let read = readSchema(text, path: "s")
        #expect(read.value.recordType("A")?.fields.map(\.name) == ["b", "d"])
        #expect(read.diagnostics.count == 3)
    }

    @Test func `errors come to an end`() {
        let text = "DEFINE SCHEMA " + String(repeating: "DROP; ", count: 100_000)
        #expect(readSchema(text, path: "s").diagnostics.count == 100)
    }

    @Test(.enabled(if: Corpus.isPresent))
    func `published schemas are read, and one that was exported is written byte for byte`() throws {
        let paths = Corpus.paths { $0.hasSuffix(".ckdb") }
        #expect(paths.count >= 2)
        for path in paths {
            let text = try String(contentsOfFile: Corpus.path(path), encoding: .utf8)
            let read = readSchema(text, path: path)
            #expect(read.diagnostics.isEmpty)
            #expect(readSchema(read.value.text, path: path).value.text == read.value.text)
            func fields(_ text: String) -> [Substring] {
                text.split(separator: "\n").filter {
                    !$0.contains("GRANT ") && !$0.contains("ROLE ")
                }
                .map { $0.hasSuffix(",") ? $0.dropLast() : $0 }
            }
            if !text.contains("//") { #expect(fields(read.value.text) == fields(text)) }
        }
    }
}

import Foundation
import ObjectModel
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

/// Who changed what, from a store to text and JSON.
struct HistoryCommandTests {
    private static let model = ManagedObjectModel(entities: [
        Entity(
            name: "Order",
            attributes: [
                Attribute(name: "number", type: .string),
                Attribute(name: "sent", type: .date, preservesValueInHistoryOnDeletion: true),
            ]
        ),
        Entity(name: "Tag", attributes: [Attribute(name: "label", type: .string)]),
    ])

    private struct Report: Decodable {
        struct Change: Decodable {
            struct Kept: Decodable {
                var property: String?
                var date: String?
            }
            var kind: String
            var object: String
            var bits: [Int]?
            var properties: [String]?
            var tombstone: [Kept]?
        }
        struct Transaction: Decodable {
            var transaction: Int?
            var time: String?
            var author: String?
            var changes: [Change]
        }
        struct Day: Decodable {
            var day: String?
            var transactions: Int
            var updates: Int
        }
        struct Total: Decodable { var transactions, inserts, updates, deletions: Int }
        var store: String
        var transactions: [Transaction]?
        var days: [Day]
        var total: Total
        var notes: [String]
    }

    private func inFolder(_ body: (URL, String) throws -> Void) throws {
        try withFolder { folder in
            let path = folder.appending(path: "s.sqlite").path
            let options = StoreCreationOptions(keepsHistory: true)
            try createStore(at: path, model: Self.model, options: options)
            let connection = try SQLiteConnection(path: path, mode: .readWrite)
            for statement in [
                "INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) VALUES (1, 16003, 'the \"app\"' || char(10, 27, 8238))",
                """
                INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZAUTHORTS, ZTIMESTAMP)
                VALUES (1, 16002, 1, 730900800.25), (2, 16002, 1, 730987200), (3, 16002, NULL, 730987201)
                """,
                """
                INSERT INTO ACHANGE
                (Z_PK, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS, ZTOMBSTONE0)
                VALUES (1, 0, 1, 5, 1, NULL, NULL), (2, 0, 2, 5, 1, NULL, NULL), (3, 1, 1, 5, 2, X'03', NULL),
                (4, 1, 2, 5, 2, X'02', NULL), (5, 2, 1, 5, 3, NULL, 730900800)
                """,
            ] { try connection.execute(statement) }
            try body(folder, path)
        }
    }

    private func report(_ arguments: [String], in folder: URL) throws -> Report {
        let result = try momtool(
            ["history", "s.sqlite"] + arguments + ["--format", "json"],
            in: folder
        )
        #expect(result.status == 0, "\(result.errors)")
        #expect(!result.output.unicodeScalars.contains("\u{202E}"))
        return try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
    }

    @Test func `text lists transactions with their changes, and counts`() throws {
        try inFolder { folder, _ in
            let result = try momtool(["history", "s.sqlite"], in: folder)
            #expect(result.status == 0, "\(result.errors)")
            let expected = #"""
                s.sqlite

                transaction 1  2024-02-29T12:00:00.25Z  author the "app"\u000A\u001B\u202E
                  insert  Order/p5
                  insert  Tag/p5

                transaction 2  2024-03-01T12:00:00Z  author the "app"\u000A\u001B\u202E
                  update  Order/p5  2 bits: 0, 1
                  update  Tag/p5  label

                transaction 3  2024-03-01T12:00:01Z
                  delete  Order/p5  sent was 2024-02-29T12:00:00Z

                         day  transactions  inserts  updates  deletions
                  2024-02-29             1        2        0          0
                  2024-03-01             2        0        2          1

                  entity  inserts  updates  deletions
                  Order         1        1          1
                  Tag           1        1          0

                3 transactions, 5 changes

                note: which property
                """#
            #expect(result.output.hasPrefix(expected), "\(result.output)")
        }
    }

    @Test func `what is left of a history is listed, and what is missing told`() throws {
        try inFolder { folder, path in
            try SQLiteConnection(path: path, mode: .readWrite).execute("DROP TABLE ATRANSACTION")
            let changes = try momtool(["history", "s.sqlite"], in: folder)
            #expect(changes.status == 0, "\(changes.errors)")
            #expect(changes.output.contains("update  Tag/p5"), "\(changes.output)")
            #expect(changes.errors.contains("the table ATRANSACTION is missing"))
            #expect(
                try report(["--since", "2024-01-01"], in: folder).transactions?.isEmpty == true
            )
        }
        try inFolder { folder, path in
            let connection = try SQLiteConnection(path: path, mode: .readWrite)
            try connection.execute("DROP TABLE ACHANGE")
            let transactions = try momtool(["history", "s.sqlite"], in: folder)
            #expect(transactions.output.contains("transaction 3"), "\(transactions.output)")
            #expect(transactions.errors.contains("the table ACHANGE is missing"))
            try connection.execute("DROP TABLE ATRANSACTION")
            try connection.execute(
                "INSERT OR REPLACE INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 5)"
            )
            let none = try momtool(["history", "s.sqlite"], in: folder)
            #expect(none.status == 66)
            #expect(none.errors.contains("are missing"), "\(none.errors)")
        }
    }

    @Test func `JSON holds the same`() throws {
        try inFolder { folder, _ in
            let all = try report([], in: folder)
            #expect(all.transactions?.map(\.transaction) == [1, 2, 3])
            #expect(all.transactions?[0].author == "the \"app\"\n\u{1B}\u{202E}")
            #expect(all.transactions?[1].changes.map(\.bits) == [[0, 1], [1]])
            #expect(all.transactions?[1].changes.map(\.properties) == [nil, ["label"]])
            let kept = try #require(all.transactions?[2].changes.first?.tombstone?.first)
            #expect((kept.property, kept.date) == ("sent", "2024-02-29T12:00:00Z"))
            #expect(all.notes.count == 1)
            let days = try report(["--by-day"], in: folder)
            #expect(days.transactions == nil)
            #expect(days.days.map(\.day) == ["2024-02-29", "2024-03-01"])
            #expect(days.total.updates == 2)
        }
    }

    @Test func `an object, an entity and a time choose`() throws {
        try inFolder { folder, path in
            let uuid = try StoreFile(path: path).metadata().uuid
            for object in ["Order/p5", "x-coredata://\(uuid)/Order/p5"] {
                let found = try report(["--object", object], in: folder)
                #expect(
                    found.transactions?.flatMap(\.changes).map(\.kind) == [
                        "insert", "update", "delete",
                    ]
                )
            }
            let tags = try report(["--entity", "Tag", "--since", "2024-03-01"], in: folder)
            #expect(tags.transactions?.map(\.transaction) == [2])
            #expect(tags.total.updates == 1)
            let none = try report(["--since", "2030-01-01T00:00:00+02:00"], in: folder)
            #expect(none.transactions?.isEmpty == true)
            #expect(none.total.transactions == 0)
        }
    }

    @Test func `both forms are written at once, and the store is never one of them`() throws {
        try inFolder { folder, _ in
            let both = ["history", "s.sqlite", "--format", "text", "--format", "json=h.json"]
            let result = try momtool(both, in: folder)
            #expect(result.output.hasPrefix("s.sqlite\n"))
            let data = try Data(contentsOf: folder.appending(path: "h.json"))
            #expect(try JSONDecoder().decode(Report.self, from: data).total.inserts == 2)
            let onto = ["history", "s.sqlite", "--format", "json=s.sqlite"]
            #expect(try momtool(onto, in: folder).status == 64)
        }
    }

    @Test(
        arguments: [
            (["--object", "Order/5"], 64, "[usage]"), (["--since", "yesterday"], 64, "[usage]"),
            (["--entity", "Ordr"], 64, "did you mean 'Order'"),
            (["--object", "x-coredata://ABC/Order/p5"], 64, "[other-store]"),
        ] as [([String], Int32, String)]
    )
    func `what cannot be meant is refused`(
        arguments: [String],
        status: Int32,
        text: String
    ) throws {
        try inFolder { folder, _ in
            let result = try momtool(["history", "s.sqlite"] + arguments, in: folder)
            #expect(result.status == status)
            #expect(result.errors.contains(text), "\(result.errors)")
        }
    }

    @Test func `what CloudKit keeps of an object comes under its own names`() throws {
        try inFolder { folder, path in
            let connection = try SQLiteConnection(path: path, mode: .readWrite)
            for statement in [
                "CREATE TABLE ANSCKRECORDMETADATA ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
                    + "ZNEEDSUPLOAD INTEGER, ZENTITYID INTEGER, ZENTITYPK INTEGER, ZCKRECORDNAME VARCHAR )",
                "INSERT INTO ANSCKRECORDMETADATA VALUES (1, 1, 1, 1, 1, 5, 'R-1'), (2, 1, 1, 0, 2, 5, 'R-2')",
            ] { try connection.execute(statement) }
            let result = try momtool(
                ["history", "s.sqlite", "--object", "Order/p5"],
                in: folder
            )
            let line = "mirroring: ZNEEDSUPLOAD 1, ZENTITYID 1, ZENTITYPK 5, ZCKRECORDNAME 'R-1'\n"
            #expect(result.output.contains(line), "\(result.output)")
            #expect(!result.output.contains("R-2"))
        }
    }

    @Test func `a store without history is no input`() throws {
        let result = try momtool("history", "Fixtures/Library-V1.sqlite")
        #expect(result.status == 66)
        #expect(result.errors.contains("[no-history]"))
    }
}

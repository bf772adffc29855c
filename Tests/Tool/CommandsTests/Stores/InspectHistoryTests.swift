import Foundation
import ObjectModel
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

struct InspectHistoryTests {
    private static let model = ManagedObjectModel(entities: [
        Entity(name: "Order", attributes: [Attribute(name: "number", type: .string)]),
        Entity(name: "Tag", attributes: [Attribute(name: "label", type: .string)]),
    ])

    private func inFolder(_ body: (URL, SQLiteConnection) throws -> Void) throws {
        try withFolder { folder in
            let path = folder.appending(path: "s.sqlite").path
            let options = StoreCreationOptions(keepsHistory: true)
            try createStore(at: path, model: Self.model, options: options)
            let connection = try SQLiteConnection(path: path, mode: .readWrite)
            for statement in [
                "INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) VALUES (1, 16003, 'the \"app\"' || char(10, 27, 8238))",
                """
                INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZAUTHORTS, ZTIMESTAMP)
                VALUES (1, 16002, 1, 730900800.25), (2, 16002, 1, 730987200), (3, 16002, NULL, 5e9)
                """,
                """
                INSERT INTO ACHANGE (Z_PK, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID)
                VALUES (1, 0, 1, 5, 1), (2, 0, 2, 5, 1), (3, 1, 1, 5, 2), (4, 1, 2, 5, 2), (5, 2, 1, 5, 3)
                """,
            ] { try connection.execute(statement) }
            try body(folder, connection)
        }
    }

    @Test func `one table counts all, by author and by entity, and says what pruning frees`() throws
    {
        try inFolder { folder, _ in
            let run = try momtool(["inspect", "s.sqlite", "--history"], in: folder)
            #expect(run.status == 0, "\(run.errors)")
            let part = try #require(run.output.firstRange(of: "  history          "))
            let expected = #"""
                  history                             transactions  changes   first day    last day  bytes
                  all                                            3        5  2024-02-29  2159-06-12  45056
                  no author                                      1        1  2159-06-12  2159-06-12
                  author the "app"\u000A\u001B\u202E             2        4  2024-02-29  2024-03-01
                  entity Order                                   3        3  2024-02-29  2159-06-12
                  entity Tag                                     2        2  2024-02-29  2024-03-01
                  older than 30 days                             2        4  2024-02-29  2024-03-01  33792

                momtool repair s.sqlite --prune-history 30 --compact -o Smaller.sqlite frees about 33792 bytes
                """#
            let text = run.output[part.lowerBound...].trimmingCharacters(in: .newlines)
            #expect(text == expected, "\(text)")
            let pruned = try momtool(
                [
                    "repair", "s.sqlite", "--prune-history", "30", "--compact", "-o",
                    "Smaller.sqlite",
                ],
                in: folder
            )
            #expect(pruned.status == 0, "\(pruned.output)\(pruned.errors)")
            let left = try momtool(["inspect", "Smaller.sqlite", "--history"], in: folder)
            #expect(
                left.output.contains("older than 30 days             0        0"),
                "\(left.output)"
            )
        }
    }

    @Test func `a store that keeps none, or has lost a part, has no table`() throws {
        try inFolder { folder, connection in
            try connection.execute("DROP TABLE ATRANSACTION")
            let fixture = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite").path
            for store in ["s.sqlite", fixture] {
                let run = try momtool(
                    ["inspect", store, "--history", "--format", "json"],
                    in: folder
                )
                #expect(run.status == 0 && !run.output.contains("\"history\" :"), "\(run.output)")
            }
        }
    }

    @Test func `verify and doctor note a history that takes most of the file`() throws {
        try inFolder { folder, connection in
            let note = "note: persistent history takes "
            #expect(try !momtool(["verify", "s.sqlite"], in: folder).output.contains(note))
            try connection.execute(
                """
                INSERT INTO ACHANGE (Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID)
                WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
                SELECT 16001, 1, 1, 1, 5, 2 FROM n
                """
            )
            try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 100000")
            for command in ["verify", "doctor"] {
                let run = try momtool([command, "s.sqlite"], in: folder)
                #expect(run.output.contains("persistent history takes "), "\(run.output)")
                #expect(run.output.contains("--prune-history 30 and --compact"), "\(run.output)")
            }
            #expect(try momtool(["verify", "s.sqlite"], in: folder).status == 0)
        }
    }
}

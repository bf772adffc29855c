import Foundation
import ObjectModel
import SQLiteAccess
import Testing

@testable import StoreFormat

struct StoreHistoryTests {
    /// Author 1, Book 2, Novel 3 below it, Tag 4.
    private func inStore(
        _ statements: [String],
        _ body: (StoreFile, StoreHistory) throws -> Void
    ) throws {
        try withTemporaryFolder { folder in
            let path = folder + "/a.sqlite"
            let options = StoreCreationOptions(keepsHistory: true)
            try createStore(at: path, model: .library, options: options)
            let connection = try SQLiteConnection(path: path, mode: .readWrite)
            for statement in statements { try connection.execute(statement) }
            try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            let file = try StoreFile(path: path)
            try body(file, try #require(try StoreHistory(of: file)))
        }
    }

    /// The events as lines: transactions by key, changes by kind and object.
    private func lines(
        _ history: StoreHistory,
        _ filter: HistoryFilter = HistoryFilter()
    ) throws -> [String] {
        var lines: [String] = []
        try history.read(filter) { event throws(StoreError) in
            switch event {
            case .transaction(let transaction):
                let key = transaction.key.map { "\($0)" } ?? "nil"
                lines.append((transaction.isMissing ? "missing " : "") + key)
            case .change(let change):
                lines.append("\(change.kind) \(change.entity ?? 0).\(change.object ?? 0)")
            }
        }
        return lines
    }

    private static let saves = [
        "INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) VALUES (1, 16003, 'app'), (2, 16003, 'main')",
        """
        INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZAUTHORTS, ZCONTEXTNAMETS, ZTIMESTAMP, ZPROCESSID)
        VALUES (1, 16002, 1, 2, 100.5, NULL), (2, 16002, NULL, NULL, 200, 'old'), (3, 16002, 1, 9, 300, NULL)
        """,
        """
        INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS)
        VALUES (1, 16001, 0, 1, 1, 1, NULL), (2, 16001, 0, 3, 1, 1, NULL), (3, 16001, 1, 3, 1, 3, X'0581'),
        (4, 16001, 2, 1, 1, 3, NULL)
        """,
    ]

    @Test func `transactions come in order, each with its changes and who made them`() throws {
        try inStore(Self.saves) { _, history in
            #expect(
                try lines(history)
                    == ["1", "insert 1.1", "insert 3.1", "2", "3", "update 3.1", "delete 1.1"]
            )
            var transactions: [HistoryTransaction] = []
            var bits: [[Int]] = []
            try history.read { event throws(StoreError) in
                switch event {
                case .transaction(let transaction): transactions.append(transaction)
                case .change(let change): bits.append(change.bits)
                }
            }
            #expect(transactions.map(\.author) == ["app", nil, "app"])
            #expect(transactions.map(\.context) == ["main", nil, nil])
            #expect(transactions.map(\.process) == [nil, "old", nil])
            #expect(transactions.map(\.seconds) == [100.5, 200, 300])
            #expect(bits == [[], [], [0, 2, 8, 15], []])
        }
    }

    @Test func `a filter leaves out transactions without what is wanted`() throws {
        try inStore(Self.saves) { file, history in
            let names = HistoryNames(try file.primaryKeys(), model: nil)
            #expect(names.numbers(of: "Book") == [2, 3])
            #expect(names.numbers(of: "Nobody") == nil)
            let books = HistoryFilter(entities: names.numbers(of: "Book"), object: 1)
            #expect(try lines(history, books) == ["1", "insert 3.1", "3", "update 3.1"])
            #expect(
                try lines(history, HistoryFilter(since: 200)) == [
                    "2", "3", "update 3.1", "delete 1.1",
                ]
            )
            #expect(try lines(history, HistoryFilter(since: 301)) == [])
        }
    }

    @Test func `changes whose transaction is gone are told, wherever they stand`() throws {
        let orphans = """
            INSERT INTO ACHANGE (Z_PK, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID)
            VALUES (10, 0, 4, 1, NULL), (11, 0, 4, 2, 0), (12, 0, 4, 3, 9), (13, 7, 4, 4, 9), (14, 0, 4, 5, 'x')
            """
        try inStore(Self.saves + [orphans, "DELETE FROM ATRANSACTION WHERE Z_PK = 2"]) {
            file,
            history in
            #expect(
                try lines(history) == [
                    "missing nil", "insert 4.1", "missing 0", "insert 4.2", "1", "insert 1.1",
                    "insert 3.1", "3", "update 3.1", "delete 1.1", "missing 9", "insert 4.3",
                    "unknown(Optional(7)) 4.4", "missing nil", "insert 4.5",
                ]
            )
            var summary = HistorySummary()
            let names = HistoryNames(try file.primaryKeys(), model: .library)
            try history.read { event throws(StoreError) in summary.add(event, names) }
            #expect(summary.missing == 4)
            #expect(summary.total.transactions == 2)
            #expect(summary.total.changes == 9)
            #expect(summary.days["2001-01-01"]?.inserts == 2)
            #expect(summary.days[nil]?.changes == 5)
            #expect(summary.entities[4]?.unknown == 1)
        }
    }

    @Test func `history of older systems has its texts in the transaction`() throws {
        let old = [
            "DROP TABLE ATRANSACTIONSTRING", "DROP TABLE ATRANSACTION",
            "CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
                + "ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR )",
            "INSERT INTO ATRANSACTION (Z_PK, ZTIMESTAMP, ZAUTHOR) VALUES (1, 'soon', 'me')",
        ]
        try inStore(old) { _, history in
            var found: [HistoryTransaction] = []
            try history.read { event throws(StoreError) in
                if case .transaction(let transaction) = event { found.append(transaction) }
            }
            #expect(found == [HistoryTransaction(key: 1, author: "me")])
        }
    }

    @Test func `kept values are of an attribute where only one can be meant`() throws {
        var model = ManagedObjectModel.library
        model.entities[0].attributes[1].flags[.preservationAfterDeletion] = true
        let names = HistoryNames([], model: model)
        #expect(names.keptAttributes(of: 1)?.map(\.name) == [model.entities[0].attributes[1].name])
        #expect(names.keptAttributes(of: 4) == [])
        #expect(names.keptAttributes(of: 9) == nil)
        let renamed = [PrimaryKeyRow(number: 1, name: "Writer", superNumber: 0, maximumKey: 0)]
        #expect(HistoryNames(renamed, model: .library).entity(1) == "Author")
        #expect(HistoryNames(renamed, model: nil).entity(1) == "Writer")
    }

    @Test(
        arguments: [
            ("Book/p5", "Book/p5"), ("x-coredata://AB-1/Book/p5", "Book/p5"),
            ("x-coredata://A/%C3%84rzte/p12", "Ärzte/p12"), ("Book/5", nil), ("Book/p0", nil),
            ("Book", nil), ("x-coredata://A/p5", nil), ("x-coredata:///", nil), ("", nil),
            ("/p5", nil), ("Book/p99999999999999999999", nil),
        ] as [(String, String?)]
    )
    func `objects are named by entity and key, or by their URI`(text: String, object: String?) {
        #expect(ObjectReference(text)?.description == object)
    }
}

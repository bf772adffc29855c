import Foundation
import MigrationPlanning
import MigrationTesting
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct EntityCountTests {
    static let contents: [[String]] = [
        ["INSERT INTO t VALUES (1, 2), (1000, 2)"],
        ["INSERT INTO t VALUES (1, 2), (1000, NULL)"],
        ["INSERT INTO t SELECT i, 2 + (i % 10 = 0) FROM n"],
        ["INSERT INTO t SELECT i, 3 - (i % 10 = 0) FROM n"],
        ["INSERT INTO t SELECT i, i % 6 FROM n"],
        ["INSERT INTO t SELECT i, CASE WHEN i > 1500 THEN 9 ELSE 2 END FROM n"],
        ["INSERT INTO t SELECT i, NULL FROM n"],
        ["INSERT INTO t SELECT i, nullif(2 + (i % 3), 3) FROM n"],
        ["INSERT INTO t SELECT i, 3 FROM n", "INSERT INTO t VALUES (2001, -4), (2002, 0)"],
        [
            "INSERT INTO t VALUES (-9223372036854775808, 2), (9223372036854775807, 3)",
            "INSERT INTO t SELECT i, 9223372036854775807 FROM n",
        ],
        ["INSERT INTO t SELECT i, 2 FROM n", "INSERT INTO t VALUES (2001, 2.5)"],
        ["INSERT INTO t SELECT i, 2 FROM n", "INSERT INTO t VALUES (2001, 'x'), (2002, x'00')"],
    ]

    private func makeTable(_ contents: [String], index: String) throws -> SQLiteConnection {
        let connection = try SQLiteConnection(path: ":memory:", mode: .create)
        try connection.execute("CREATE TABLE t (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER)")
        try connection.execute("CREATE TABLE n (i INTEGER PRIMARY KEY)")
        try connection.execute(
            """
            WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 2000) \
            INSERT INTO n SELECT i FROM c
            """
        )
        for statement in contents { try connection.execute(statement) }
        try connection.execute(index)
        return connection
    }

    @Test(arguments: contents)
    func `an index tells the rows of each value as GROUP BY does`(_ contents: [String]) throws {
        let connection = try makeTable(contents, index: "CREATE INDEX e ON t (Z_ENT)")
        let found = try #require(
            try connection.groupCounts(of: "Z_ENT", key: "Z_PK", in: "t", atMost: 8)
        )
        let expected = try connection.rows(
            "SELECT Z_ENT, count(*) FROM t GROUP BY Z_ENT ORDER BY Z_ENT"
        )
        #expect(found.map { [$0.value, .integer($0.count)] } == expected)
    }

    @Test(arguments: contents)
    func `an index tells the rows of other values as a pass does`(_ contents: [String]) throws {
        let connection = try makeTable(contents, index: "CREATE INDEX e ON t (Z_ENT)")
        let found = try connection.countOfRows(outside: [2, 3], of: "Z_ENT", key: "Z_PK", in: "t")
        let expected = try connection.rows(
            """
            SELECT count(*) FILTER (WHERE COALESCE(Z_ENT, 0) NOT IN (2, 3)), \
            count(*) FILTER (WHERE typeof(Z_ENT) NOT IN ('integer', 'null')) FROM t
            """
        )[0]
        #expect(found == (expected[1] == .integer(0) ? expected[0].integer : nil))
    }

    @Test(
        arguments: [
            "SELECT 1", "CREATE INDEX e ON t (Z_PK, Z_ENT)", "CREATE INDEX e ON t (Z_ENT + 0)",
            "CREATE INDEX e ON t (Z_ENT COLLATE NOCASE)",
            "CREATE INDEX e ON t (Z_ENT) WHERE Z_ENT > 2",
        ]
    )
    func `without an index of all values nothing is told`(_ index: String) throws {
        let connection = try makeTable(Self.contents[2], index: index)
        #expect(try connection.groupCounts(of: "Z_ENT", key: "Z_PK", in: "t", atMost: 8) == nil)
        #expect(
            try connection.countOfRows(outside: [2, 3], of: "Z_ENT", key: "Z_PK", in: "t") == nil
        )
    }

    @Test(arguments: [
        [], ["INSERT INTO t VALUES (1, 2)"], ["INSERT INTO t SELECT i, 2 FROM n LIMIT 500"],
    ])
    func `a table of few rows is left to a pass`(_ contents: [String]) throws {
        let connection = try makeTable(contents, index: "CREATE INDEX e ON t (Z_ENT)")
        #expect(try connection.groupCounts(of: "Z_ENT", key: "Z_PK", in: "t", atMost: 8) == nil)
        #expect(
            try connection.countOfRows(outside: [2, 3], of: "Z_ENT", key: "Z_PK", in: "t") == nil
        )
    }

    @Test(arguments: ["Z_PK > 3", "none > 3"])
    func `nothing is left of the function that counts`(_ condition: String) throws {
        let connection = try makeTable(Self.contents[2], index: "SELECT 1")
        _ = try? connection.counts(of: [condition], in: "t", groupedBy: "Z_ENT", among: 1...3)
        #expect(throws: StoreError.self) {
            try connection.rows("SELECT momtool_group_counts(1, 1)")
        }
    }

    @Test func `a table full of other values is left to a pass`() throws {
        let connection = try makeTable(
            ["INSERT INTO t SELECT i, i FROM n"],
            index: "CREATE INDEX e ON t (Z_ENT)"
        )
        #expect(try connection.groupCounts(of: "Z_ENT", key: "Z_PK", in: "t", atMost: 8) == nil)
        #expect(
            try connection.countOfRows(outside: [2, 3], of: "Z_ENT", key: "Z_PK", in: "t") == nil
        )
    }

    private static let number = Attribute("number", .integer32)

    /// The second version has an entity that moves the numbers of all others.
    private struct Versions {
        var old: ModelVersion
        var new: ModelVersion

        init(_ entities: [Entity]) {
            let account = Entity("Account", [number])
            old = ModelVersion(model: ManagedObjectModel(entities))
            new = ModelVersion(model: ManagedObjectModel([account] + entities))
        }

        static let hierarchy = Versions([
            Entity("Thing", [number]),
            Entity("Special", parentEntity: "Thing"),
        ])

        static let alone = Versions([
            Entity(
                "Thing",
                [number],
                fetchIndexes: [FetchIndex(name: "byNumber", elements: [.init(.property("number"))])]
            )
        ])

        func migration(of path: String) throws -> Migration {
            try Migration(of: StoreFile(path: path), from: old, to: new)
        }
    }

    private func makeStore(
        _ folder: URL,
        _ versions: Versions = .hierarchy,
        _ statements: [String] = []
    ) throws -> String {
        let path = folder.appending(path: "Store.sqlite").path
        try makeSampleStore(at: path, model: versions.old.model, rows: 20)
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        // An index is used only in tables that seem to have many rows.
        try connection.execute("UPDATE ZTHING SET Z_PK = 5000 WHERE Z_PK = 20")
        for statement in statements { try connection.execute(statement) }
        try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return path
    }

    @Test(arguments: ["NULL", "0", "3", "77", "1.5", "'x'", "x'00'"])
    func `rows of no entity are counted, and go when that is agreed to`(_ number: String) throws {
        try withFolder { folder in
            let change = "UPDATE ZTHING SET Z_ENT = \(number) WHERE Z_PK IN (2, 5)"
            let path = try makeStore(folder, .hierarchy, [change])
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            let migration = try Versions.hierarchy.migration(of: path)
            let findings = try migration.findings(in: StoreFile(path: path))
            #expect(findings.map(\.count) == [2])
            #expect(findings.map(\.examples) == [[2, 5]])
            #expect(throws: StoreMigrationError.rows(findings)) {
                try migration.runInPlace(path: path)
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
            let kept = "SELECT Z_PK, Z_ENT + 1 FROM ZTHING WHERE Z_PK NOT IN (2, 5)"
            let expected = try StoreFile(path: path).connection.rows(kept)
            let options = MigrationOptions(acceptsLosses: true)
            #expect(try migration.runInPlace(path: path, options: options) == findings)
            let found = try StoreFile(path: path).connection.rows("SELECT Z_PK, Z_ENT FROM ZTHING")
            #expect(found == expected)
        }
    }

    /// Adds a row while SQLite does not know of an index.
    private func addRow(number: Int, to path: String, beside name: String) throws {
        let index = "name = '\(name)'"
        func run(_ statements: [String], _ arguments: [SQLiteValue] = []) throws {
            let connection = try SQLiteConnection(path: path, mode: .readWrite)
            try connection.execute("PRAGMA writable_schema = ON")
            for statement in statements { try connection.execute(statement, arguments) }
            try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        }
        let entry = try SQLiteConnection(path: path, mode: .readWrite)
            .rows("SELECT rootpage, sql FROM sqlite_master WHERE \(index)")
        try run(["DELETE FROM sqlite_master WHERE \(index)"])
        try run(["INSERT INTO ZTHING (Z_PK, Z_ENT, Z_OPT) VALUES (99, \(number), 1)"])
        try run(
            ["INSERT INTO sqlite_master VALUES ('index', '\(name)', 'ZTHING', ?, ?)"],
            try #require(entry.first)
        )
        try run(["UPDATE Z_PRIMARYKEY SET Z_MAX = 9999"])
    }

    /// A row of no entity that would be one of the sub-entity under the new numbers, and one that is not counted
    /// before.
    @Test(arguments: [true, false])
    func `a row that an index lacks is found when rows are counted again`(
        inHierarchy: Bool
    ) throws {
        let versions = inHierarchy ? Versions.hierarchy : .alone
        try withFolder { folder in
            let path = try makeStore(folder, versions)
            try addRow(
                number: inHierarchy ? 3 : 1,
                to: path,
                beside: inHierarchy ? "ZTHING_Z_ENT_INDEX" : "Z_Thing_byNumber"
            )
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            let migration = try versions.migration(of: path)
            let options = MigrationOptions(acceptsLosses: true)
            let error = #expect(throws: StoreMigrationError.self) {
                try migration.runInPlace(path: path, options: options)
            }
            let text = try #require(error).description
            // A row of no entity is reported as such, else the index.
            let cause =
                inHierarchy
                ? "number outside of the hierarchy (p99)"
                : "the index Z_Thing_byNumber differs from its table"
            #expect(text.contains(cause), "\(text)")
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        }
    }

    @Test func `a table of one entity is written with its new number as a whole`() throws {
        try withFolder { folder in
            let path = try makeStore(folder, .alone)
            let migration = try Versions.alone.migration(of: path)
            let check = try #require(migration.program.checks.first)
            #expect(check.after == "SELECT count(*) FROM ZTHING")
            try migration.runInPlace(path: path)
            let found = try StoreFile(path: path).connection
                .rows("SELECT Z_ENT, count(*) FROM ZTHING GROUP BY Z_ENT")
            #expect(found == [[.integer(2), .integer(20)]])
        }
    }
}

import Foundation
import MigrationPlanning
import MigrationTesting
import ModelHashing
import ObjectModel
import PropertyLists
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

@testable import StoreMigration

struct AlikeStoresTests {
    private static let old = ModelVersion(
        name: "1",
        model: model([Attribute("kept", .string), Attribute("a", .string)])
    )
    private static let new = ModelVersion(
        name: "2",
        model: model([Attribute("kept", .string), Attribute("b", .string, renamingIdentifier: "x")])
    )
    private static let options = MigrationOptions(acceptsLosses: true)

    private static func model(_ attributes: [Attribute]) -> ManagedObjectModel {
        ManagedObjectModel(
            entities: [Entity("Thing", attributes)],
            versionIdentifiers: ["\(attributes.count)"]
        )
    }

    private static let differences: [[String]] = [
        [], ["UPDATE Z_METADATA SET Z_UUID = 'F00'"], ["UPDATE Z_METADATA SET Z_UUID = NULL"],
        ["DROP TABLE Z_MODELCACHE"], ["UPDATE Z_MODELCACHE SET Z_CONTENT = x'00'"],
        ["CREATE INDEX mine ON ZTHING (ZKEPT)"], ["CREATE INDEX theirs ON ZTHING (ZA)"],
        ["ALTER TABLE ZTHING ADD COLUMN ZOLD"], ["CREATE TABLE caf\u{E9} (x)"],
        ["CREATE TABLE cafe\u{301} (x)"], [],
    ]

    /// The application has given the store keys of its own.
    private func with(_ number: Int, _ body: (TestStore) throws -> Void) throws {
        try withSample(Self.old.model, Self.differences[number], seed: 1) { store in
            do {
                let connection = try SQLiteConnection(path: store.path, mode: .readWrite)
                var metadata = try StoreMetadata(connection)
                metadata.entries["com.example.launches"] = launches(number)
                if number % 4 == 0 { metadata.digest = nil }
                try writeMetadata(metadata, on: connection)
            }
            try body(store)
        }
    }

    private func launches(_ number: Int) -> PropertyList? {
        number % 3 == 0 ? nil : .integer(Int64(number))
    }

    @Test func `each store comes out as if it were migrated alone, to the byte`() throws {
        let plans = MigrationMemo(to: Self.new)
        for number in Self.differences.indices {
            try with(number) { store in
                let alone = store.path + ".alone"
                try FileManager.default.copyItem(atPath: store.path, toPath: alone)
                try plans.migration(of: store.file(), from: Self.old)
                    .runInPlace(path: store.path, options: Self.options)
                try Migration(of: StoreFile(path: alone), from: Self.old, to: Self.new)
                    .runInPlace(path: alone, options: Self.options)
                let bytes = try Data(contentsOf: URL(filePath: alone))
                #expect(try store.bytes() == bytes, "\(Self.differences[number])")
                let metadata = try store.file().metadata()
                #expect(metadata.versionIdentifiers == Self.new.model.versionIdentifiers)
                #expect(metadata.hashes == Self.new.hashes)
                #expect(metadata.entries["com.example.launches"] == launches(number))
            }
        }
    }

    @Test func `a version of the same name and hashes has a migration of its own`() throws {
        try with(0) { store in
            var attributes = Self.old.model.entities[0].attributes
            attributes[1].renamingIdentifier = "x"
            let renaming = ModelVersion(name: "1", model: Self.model(attributes))
            #expect(renaming.hashes == Self.old.hashes)
            let plans = MigrationMemo(to: Self.new)
            let texts = try [Self.old, renaming, Self.old].map { version in
                try plans.migration(of: store.file(), from: version).program.steps.map(\.sql)
            }
            #expect(texts[0].contains("UPDATE ZTHING SET ZA = NULL"), "\(texts[0])")
            #expect(texts[1] == ["ALTER TABLE ZTHING RENAME COLUMN ZA TO ZB"])
            #expect(texts[2] == texts[0])
        }
    }

    @Test func `a layout that lacks something is noticed behind a store that is whole`() throws {
        try with(0) { store in
            let migration = try Migration(of: store.file(), from: Self.old, to: Self.new)
            try migration.runInPlace(path: store.path, options: Self.options)
            let connection = try SQLiteConnection(path: store.path, mode: .readWrite)
            let execution = MigrationExecution(connection, Self.options)
            try execution.requireWholeLayout(of: #require(migration.directStep))
            try connection.execute("ALTER TABLE ZTHING DROP COLUMN ZB")
            for _ in 0..<2 {
                #expect(throws: StoreMigrationError.self) {
                    try execution.requireWholeLayout(of: #require(migration.directStep))
                }
            }
        }
    }

    @Test func `metadata that cannot be read are refused behind some that can`() throws {
        try with(0) { store in
            let connection = try SQLiteConnection(path: store.path, mode: .readWrite)
            let good = try StoreMetadata(connection)
            for list in ["x'00'", "x''", "'text'"] {
                try connection.execute("UPDATE Z_METADATA SET Z_PLIST = \(list)")
                for _ in 0..<2 {
                    #expect(throws: StoreError.self) { try StoreMetadata(connection) }
                }
            }
            try connection.execute("UPDATE Z_METADATA SET Z_PLIST = NULL")
            #expect(try StoreMetadata(connection).entries.isEmpty)
            try writeMetadata(good, on: connection)
            #expect(try StoreMetadata(connection) == good)
        }
    }

    @Test func `rows that differ in one value differ in their bytes`() throws {
        let connection = try SQLiteConnection(path: ":memory:", mode: .create)
        let rows = [
            "NULL", "''", "x''", "0", "0.0", "1", "1.0", "'1'", "x'31'", "'a', 'bc'", "'ab', 'c'",
            "NULL, NULL", "'caf\u{E9}'", "'cafe\u{301}'", "'\u{FFFD}'", "CAST(x'FF' AS TEXT)",
            "'a' UNION ALL SELECT 'b'", "'b' UNION ALL SELECT 'a'", "1 WHERE 0",
        ]
        let bytes = try rows.map { try RowBytes(of: "SELECT \($0)", on: connection) }
        #expect(Set(bytes).count == rows.count)
        #expect(try bytes == rows.map { try RowBytes(of: "SELECT \($0)", on: connection) })
    }
}

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

    private static let whole = "CREATE INDEX e ON t (Z_ENT)"

    private func makeTable(_ contents: [String], index: String = whole) throws -> SQLiteConnection {
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
        let connection = try makeTable(contents)
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
        let connection = try makeTable(contents)
        let found = try connection.countOfRows(outside: [2, 3], of: "Z_ENT", key: "Z_PK", in: "t")
        let expected = try connection.rows(
            """
            SELECT count(*) FILTER (WHERE COALESCE(Z_ENT, 0) NOT IN (2, 3)), \
            count(*) FILTER (WHERE typeof(Z_ENT) NOT IN ('integer', 'null')) FROM t
            """
        )[0]
        #expect(found == (expected[1] == .integer(0) ? expected[0].integer : nil))
    }

    private static let few = ["INSERT INTO t SELECT i, 2 FROM n LIMIT 500"]
    private static let other = ["INSERT INTO t SELECT i, i FROM n"]

    /// Indexes that have not all values, tables of few rows, and one that is full of other values.
    @Test(arguments: [
        (contents[2], "SELECT 1"), (contents[2], "CREATE INDEX e ON t (Z_PK, Z_ENT)"),
        (contents[2], "CREATE INDEX e ON t (Z_ENT + 0)"),
        (contents[2], "CREATE INDEX e ON t (Z_ENT COLLATE NOCASE)"),
        (contents[2], "CREATE INDEX e ON t (Z_ENT) WHERE Z_ENT > 2"), ([], whole),
        (["INSERT INTO t VALUES (1, 2)"], whole), (few, whole), (other, whole),
    ])
    func `what no index tells is left to a pass`(_ contents: [String], _ index: String) throws {
        let connection = try makeTable(contents, index: index)
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

    private static let number = Attribute("number", .integer32)

    /// The second version has an entity that moves the numbers of all others.
    private struct Versions {
        var old: ManagedObjectModel
        var new: ManagedObjectModel

        init(_ entities: [Entity]) {
            old = ManagedObjectModel(entities)
            new = ManagedObjectModel([Entity("Account", [number])] + entities)
        }

        static let hierarchy = Versions([Entity("Thing", [number]), entityOf("Special/Thing")])

        static let alone = Versions([
            Entity(
                "Thing",
                [number],
                fetchIndexes: [FetchIndex(name: "byNumber", elements: [.init(.property("number"))])]
            )
        ])
    }

    private func withThings(
        _ versions: Versions = .hierarchy,
        _ statements: [String] = [],
        _ body: (TestStore) throws -> Void
    ) throws {
        // An index is used only in tables that seem to have many rows.
        let moved = ["UPDATE ZTHING SET Z_PK = 5000 WHERE Z_PK = 20"]
        let all = moved + statements + ["PRAGMA wal_checkpoint(TRUNCATE)"]
        try withSample(versions.old, all, rows: 20, body)
    }

    @Test(arguments: ["NULL", "0", "3", "77", "1.5", "'x'", "x'00'"])
    func `rows of no entity are counted, and go when that is agreed to`(_ number: String) throws {
        let change = "UPDATE ZTHING SET Z_ENT = \(number) WHERE Z_PK IN (2, 5)"
        try withThings(.hierarchy, [change]) { store in
            let before = try store.bytes()
            let migration = try store.migration(to: Versions.hierarchy.new)
            let findings = try migration.findings(in: store.file())
            #expect(findings.map(\.count) == [2])
            #expect(findings.map(\.examples) == [[2, 5]])
            #expect(throws: StoreMigrationError.rows(findings)) {
                try migration.runInPlace(path: store.path)
            }
            #expect(try store.bytes() == before)
            let kept = "SELECT Z_PK, Z_ENT + 1 FROM ZTHING WHERE Z_PK NOT IN (2, 5)"
            let expected = try store.rows(kept)
            #expect(try migration.runInPlace(path: store.path, options: .agreed) == findings)
            #expect(try store.rows("SELECT Z_PK, Z_ENT FROM ZTHING") == expected)
        }
    }

    /// Adds a row while SQLite does not know of an index.
    private func addRow(number: Int, to store: TestStore, beside name: String) throws {
        let index = "name = '\(name)'"
        func run(_ statement: String, _ arguments: [SQLiteValue] = []) throws {
            let connection = try SQLiteConnection(path: store.path, mode: .readWrite)
            try connection.execute("PRAGMA writable_schema = ON")
            try connection.execute(statement, arguments)
            try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        }
        let entry = try store.rows("SELECT rootpage, sql FROM sqlite_master WHERE \(index)")
        try run("DELETE FROM sqlite_master WHERE \(index)")
        try run("INSERT INTO ZTHING (Z_PK, Z_ENT, Z_OPT) VALUES (99, \(number), 1)")
        let values = "VALUES ('index', '\(name)', 'ZTHING', ?, ?)"
        try run("INSERT INTO sqlite_master \(values)", #require(entry.first))
        try run("UPDATE Z_PRIMARYKEY SET Z_MAX = 9999")
    }

    /// A row of no entity that would be one of the sub-entity under the new numbers, which is reported as such, and one
    /// that is not counted before, where the index is.
    @Test(arguments: [
        (3, "ZTHING_Z_ENT_INDEX", "number outside the hierarchy (p99)"),
        (1, "Z_Thing_byNumber", "the index Z_Thing_byNumber differs from its table"),
    ])
    func `a row that an index lacks is found`(
        _ number: Int,
        _ index: String,
        _ cause: String
    ) throws {
        let versions = number == 3 ? Versions.hierarchy : .alone
        try withThings(versions) { store in
            try addRow(number: number, to: store, beside: index)
            let before = try store.bytes()
            let migration = try store.migration(to: versions.new)
            let error = #expect(throws: StoreMigrationError.self) {
                try migration.runInPlace(path: store.path, options: .agreed)
            }
            let text = try #require(error).description
            #expect(text.contains(cause), "\(text)")
            #expect(try store.bytes() == before)
        }
    }

    @Test func `a table of one entity is written with its new number as a whole`() throws {
        try withThings(.alone) { store in
            let migration = try store.migration(to: Versions.alone.new)
            let check = try #require(migration.program.checks.first)
            #expect(check.after == "SELECT count(*) FROM ZTHING")
            try migration.runInPlace(path: store.path)
            let found = try store.texts("SELECT Z_ENT, count(*) FROM ZTHING GROUP BY Z_ENT")
            #expect(found == ["2|20"])
        }
    }
}

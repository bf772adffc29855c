import Foundation
import ObjectModel
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

@testable import StoreMigration

struct SchemaTextTests {
    private static let schema = [
        "CREATE TABLE ZA ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZNAME VARCHAR )",
        "CREATE UNIQUE INDEX ZA_NAME ON ZA (ZNAME COLLATE BINARY ASC)",
        "CREATE TABLE \"Z odd\" (Z_PK INTEGER PRIMARY KEY, ZVALUE FLOAT)",
        "CREATE INDEX ZODD_INDEX ON \"Z odd\" (ZVALUE)",
        "CREATE TABLE Z_1BS ( Z_1AS INTEGER, Z_2BS INTEGER, PRIMARY KEY (Z_1AS, Z_2BS) )",
        "INSERT INTO ZA VALUES (1, 7, 'x'), (2, 7, 'y')",
        "INSERT INTO Z_1BS VALUES (1, 2)",
    ]

    private func database(at path: String) throws -> SQLiteConnection {
        let connection = try SQLiteConnection(path: path, mode: .create)
        for statement in Self.schema { try connection.execute(statement) }
        return connection
    }

    private func master(_ connection: SQLiteConnection) throws -> [[SQLiteValue]] {
        try connection.rows("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY rowid")
    }

    @Test func `the text is the one that SQLite writes, and its version moves`() throws {
        try withFolder { folder in
            let slow = try database(at: folder.appending(path: "slow").path)
            let fast = try database(at: folder.appending(path: "fast").path)
            let other = try SQLiteConnection(
                path: folder.appending(path: "fast").path,
                mode: .readWrite
            )
            #expect(try master(other).count == 6)
            for statement in [
                "ALTER TABLE ZA ADD COLUMN ZMORE BLOB", "ALTER TABLE ZA RENAME TO ZB",
                "ALTER TABLE Z_1BS RENAME TO Z_2BS", "ALTER TABLE \"Z odd\" ADD COLUMN ZX INTEGER",
                "ALTER TABLE \"Z odd\" RENAME TO ZEVEN",
            ] { try slow.execute(statement) }
            try fast.execute("BEGIN")
            var text = try SchemaText(fast)
            let results = [
                text.add(column: "ZMORE BLOB", to: "ZA"), text.rename(table: "ZA", to: "ZB"),
                text.rename(table: "Z_1BS", to: "Z_2BS"),
                text.add(column: "ZX INTEGER", to: "Z odd"),
                text.rename(table: "Z odd", to: "ZEVEN"),
            ]
            #expect(!results.contains(false))
            try text.write(to: fast)
            #expect(try master(fast) == master(slow))
            try fast.execute("UPDATE ZB SET ZMORE = x'01'")
            try fast.execute("COMMIT")
            #expect(try fast.value("PRAGMA integrity_check")?.text == "ok")
            #expect(try fast.value("PRAGMA writable_schema")?.integer == 0)
            #expect(try other.value("SELECT count(ZMORE) FROM ZB WHERE ZNAME = 'y'")?.integer == 1)
            #expect(throws: StoreError.self) {
                try fast.execute("UPDATE sqlite_master SET sql = '' WHERE name = 'ZB'")
            }
        }
    }

    @Test func `a transaction that is rolled back leaves the schema as it was`() throws {
        try withFolder { folder in
            let connection = try database(at: folder.appending(path: "store").path)
            let before = try master(connection)
            try connection.execute("BEGIN")
            var text = try SchemaText(connection)
            let isRenamed = text.rename(table: "ZA", to: "ZB")
            #expect(isRenamed)
            try text.write(to: connection)
            try connection.execute("ROLLBACK")
            #expect(try master(connection) == before)
            #expect(try connection.value("SELECT count(*) FROM ZA")?.integer == 2)
        }
    }

    @Test(arguments: [
        "CREATE TABLE T (a INTEGER, UNIQUE (a))", "CREATE TABLE T (a INTEGER CHECK (a > 1))",
        "CREATE TABLE T (a INTEGER -- and so on\n)", "CREATE TABLE T (\"a)\" INTEGER)",
        "CREATE TABLE T (a INTEGER PRIMARY KEY) STRICT", "CREATE VIEW T AS SELECT 1",
        "CREATE TABLE T AS SELECT 1 AS a UNION SELECT 'b)'", "CREATE TABLE T (a /* ) */ INTEGER)",
    ])
    func `what is not a table of plain columns is left to SQLite`(_ sql: String) throws {
        try withFolder { folder in
            let connection = try database(at: folder.appending(path: "store").path)
            try connection.execute(sql)
            var text = try SchemaText(connection)
            let isPlain = sql.contains("AS SELECT 1 AS a")
            #expect(text.add(column: "b BLOB", to: "T") == isPlain)
            if isPlain {
                try text.write(to: connection)
                #expect(try connection.value("SELECT count(*) FROM T WHERE b IS NULL") != nil)
            }
        }
    }

    @Test(arguments: [
        "CREATE VIEW V AS SELECT * FROM ZA",
        "CREATE TRIGGER R AFTER INSERT ON Z_1BS BEGIN DELETE FROM ZA; END",
        "CREATE TABLE C (a INTEGER REFERENCES ZA (Z_PK))",
    ])
    func `a table that something else may name is renamed by SQLite`(_ sql: String) throws {
        try withFolder { folder in
            let connection = try database(at: folder.appending(path: "store").path)
            try connection.execute(sql)
            var text = try SchemaText(connection)
            let isRenamed = text.rename(table: "ZA", to: "ZB")
            #expect(!isRenamed)
        }
    }

    private func model(_ word: String, from old: String?, _ attributes: [Attribute]) -> ModelVersion
    {
        let entities = (10..<60).map { place in
            Entity("\(word)\(place)", attributes, renamingIdentifier: old.map { "\($0)\(place)" })
        }
        return ModelVersion(name: word, model: ManagedObjectModel(entities))
    }

    @Test func `many entities that are renamed and grow keep their rows`() throws {
        let (name, note) = (attributeOf("name"), attributeOf("note"))
        let (old, new) = (model("Old", from: nil, [name]), model("New", from: "Old", [name, note]))
        let rows = (10..<60).map { "INSERT INTO ZOLD\($0) VALUES (\($0), 1, 1, 'n')" }
        try withStore(old.model, rows) { store in
            let migration = try Migration(of: store.file(), from: old, to: new)
            #expect(migration.program.steps.count(where: \.changesSchemaText) == 150)
            let options = MigrationOptions(checksWholeFile: true)
            try migration.runInPlace(path: store.path, options: options)
            let connection = try SQLiteConnection(path: store.path, mode: .immutable)
            for place in 10..<60 {
                let sql = "SELECT Z_PK FROM ZNEW\(place) WHERE ZNAME = 'n' AND ZNOTE IS NULL"
                #expect(try connection.rows(sql) == [[.integer(Int64(place))]])
            }
        }
    }
}

import Diagnostics
import Foundation
import MigrationPlanning
import ObjectModel
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

@testable import StoreMigration

struct OneEngineTests {
    private func migration(of store: TestStore, _ work: CustomStageWork) throws -> Migration {
        try Migration(of: store, StageModels.custom(1, 2, "stage"), work)
    }

    @Test func `a map leaves the tables alone that it does not speak of`() throws {
        let guests = """
            entities:
              - from: Guest
                to: Guest
                set: {first: {split: [$source.name, ' ', 0]}, last: {rest: [$source.name, ' ', 1]}}
            """
        try StageModels.with { store in
            let program = try #require(try migration(of: store, .mapped(guests)).programs.first)
            let treatments = Dictionary(
                program.changes.map { ($0.table, $0.treatment) },
                uniquingKeysWith: { first, _ in first }
            )
            #expect(treatments["ZSONG"] == .keep)
            #expect(treatments["ZPLAYLIST"] == .keep)
            #expect(treatments["ZMEMBER"] == .alter)
            let passes = program.steps.filter { $0.effort == .rows }.map(\.sql)
            #expect(passes.count == 1, "\(passes)")
            #expect(passes.allSatisfy { $0.hasPrefix("UPDATE ZGUEST AS s SET ") })
        }
    }

    @Test func `the schema that programs make is the one that was worked out`() throws {
        for (_, works, manager) in StagedMigrationTests.ways {
            try StageModels.with { store in
                let migration = try Migration(of: store.file(), by: manager, works: works)
                var expected = try StoreSchema(store.file().connection)
                for program in migration.programs { expected = expected.applying(program) }
                try migration.runInPlace(path: store.path, options: .agreed)
                let found = try StoreSchema(store.file().connection)
                #expect(found.columns == expected.columns)
                #expect(Set(found.indexes.map(\.name)) == Set(expected.indexes.map(\.name)))
                #expect(Set(found.triggers.map(\.name)) == Set(expected.triggers.map(\.name)))
            }
        }
    }

    @Test func `a plan without a store has the program of a store that was just made`() throws {
        try StageModels.with { store in
            let (old, new) = (StageModels.versions[0], StageModels.versions[1])
            let migration = try Migration(of: store.file(), from: old, to: new)
            let route = MigrationRoute(from: old, to: new)
            let program = try Migration(predictedAlong: route).programs[0]
            #expect(program.steps.map(\.purpose) == migration.program.steps.map(\.purpose))
            #expect(program.steps.contains { !$0.causes.isEmpty })
            try migration.runInPlace(path: store.path, options: .agreed)
        }
    }

    @Test(arguments: [
        ("UPDATE Member SET city = 'Rome'", false), ("UPDATE Song SET title = 'x'", false),
        (
            "UPDATE Song SET playlist = 1 WHERE objectID = 1; UPDATE Song SET playlist = 88 WHERE objectID = 2",
            false
        ), ("UPDATE Song SET playlist = 88 WHERE objectID = 2", true),
        ("UPDATE Song SET title = 'x'; UPDATE Song SET playlist = 88 WHERE objectID = 2", true),
    ])
    func `a stage answers for one thing more that it breaks, not for what was broken`(
        _ script: String,
        _ isRefused: Bool
    ) throws {
        try StageModels.with { store in
            try store.execute("UPDATE ZSONG SET ZPLAYLIST = 77 WHERE Z_PK = 1")
            let migration = try migration(of: store, .before(script))
            guard isRefused else {
                try migration.runInPlace(path: store.path)
                return
            }
            let error = #expect(throws: StoreMigrationError.self) {
                try migration.runInPlace(path: store.path)
            }
            #expect(error?.description.contains("dangling-reference") == true)
        }
    }
}

struct TreatmentTests {
    private static func model(
        _ thing: [Attribute],
        special: [Attribute] = [],
        others: [Entity] = []
    ) -> ManagedObjectModel {
        ManagedObjectModel(
            entities: others + [
                Entity("Thing", thing),
                Entity("Special", parentEntity: "Thing", special),
            ]
        )
    }

    private static let number = Attribute("number", .integer32)
    private static let note = Attribute("note", .string)
    private static let title = Attribute("title", .string)
    private static let workers = (0..<10).map { Entity("Worker\($0)", parentEntity: "Thing") }

    typealias Case = (
        testDescription: String, from: ManagedObjectModel, to: ManagedObjectModel, passes: [String]
    )

    static let cases: [Case] = [
        (
            "a new optional attribute costs no pass", model([number]),
            model([number, note], special: [title]), []
        ),
        (
            "a removed attribute makes place for a new one of its type", model([note, number]),
            model([number, title]), ["UPDATE ZTHING SET ZNOTE = NULL"]
        ),
        (
            "converted values are written into the table as it stands", model([number]),
            model([Attribute("number", .double)]),
            [
                "UPDATE ZTHING SET momtool_ZNUMBER = ZNUMBER",
                "ALTER TABLE ZTHING DROP COLUMN ZNUMBER",
            ]
        ),
        (
            "an index whose values all change is made anew", model([number]),
            model([number], others: [Entity("Account", [title])]),
            [
                "UPDATE ZTHING SET Z_ENT = CASE Z_ENT WHEN 1 THEN 2 WHEN 2 THEN 3 ELSE Z_ENT END",
                "CREATE INDEX ZTHING_Z_ENT_INDEX ON ZTHING (Z_ENT)",
            ]
        ),
        (
            "numbers of many entities are looked for at once", model([number], others: workers),
            model([number], others: [Entity("Account", [title])] + workers),
            [
                "UPDATE ZTHING SET Z_ENT = CASE WHEN Z_ENT IN (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12) THEN Z_ENT + 1 ELSE Z_ENT END",
                "CREATE INDEX ZTHING_Z_ENT_INDEX ON ZTHING (Z_ENT)",
            ]
        ),
        (
            "an entity behind all others moves no number", model([number]),
            model([number], others: [Entity("Zebra", [title])]), []
        ),
    ]

    @Test(arguments: cases)
    func `rows are passed over as little as possible`(_ test: Case) throws {
        try migrate(from: test.from, to: test.to) { migration, _ in
            let passes = migration.program.steps.filter { $0.effort == .rows }.map(\.sql)
            #expect(passes == test.passes)
        }
    }

    @Test func `a default of a sub-entity stays out of the rows of others`() throws {
        let rank = Attribute("rank", .string, isOptional: false, defaultValue: .string("first"))
        let (old, new) = (Self.model([Self.note]), Self.model([], special: [rank]))
        try migrate(from: old, to: new) { _, store in
            let ranks = try store.connection.rows(
                "SELECT DISTINCT Z_ENT, ZRANK FROM ZTHING ORDER BY Z_ENT"
            )
            #expect(ranks == [[.integer(1), .null], [.integer(2), .text("first")]])
        }
    }

    @Test func `links of a to-one relationship go straight into a join table`() throws {
        let models = [">", ">>"].map { arrow in
            modelOf("Company: staff>>Person.employer", "Person: employer\(arrow)Company.staff")
        }
        try migrate(from: models[0], to: models[1]) { migration, _ in
            let statements = migration.program.steps.map(\.sql)
            #expect(!statements.contains { $0.contains("TEMP TABLE") })
            #expect(statements.contains { $0.hasPrefix("INSERT INTO Z_1STAFF") })
        }
    }

    /// One person works for a company that is gone.
    @Test(arguments: [">", ">>"]) func `a join table that is made anew has no dangling links`(
        _ arrow: String
    ) throws {
        let models = [(">>", arrow), (">>>", ">>")].map { staff, employer in
            modelOf("C: staff\(staff)P.employer", "P: employer\(employer)C.staff")
        }
        let layouts = models.map { StoreLayout(model: $0) }
        let rows =
            [
                "INSERT INTO ZC (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1)",
                "INSERT INTO ZP (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 2, 1)",
            ]
            + WrittenLinkTests.links(
                layouts[0],
                ("P", "employer"),
                ("C", "staff"),
                [(1, 1), (2, 77)]
            )
        try withStore(models[0], rows) { store in
            let result = try store.result(of: store.migration(to: models[1]), MigrationOptions())
            let links = try #require(layouts[1].links("employer", of: "P"))
            let found = try result.texts(
                "SELECT \(links.source), \(links.destination) FROM \(links.table)"
            )
            #expect(found == ["1|1"])
        }
    }

    private func migrate(
        from source: ManagedObjectModel,
        to target: ManagedObjectModel,
        _ check: (Migration, StoreFile) throws -> Void
    ) throws {
        try withSample(source) { store in
            let original = store.place("Old.sqlite")
            try FileManager.default.copyItem(atPath: store.path, toPath: original)
            let migration = try store.migration(to: target)
            let options = MigrationOptions(acceptsLosses: true, checksWholeFile: true)
            try migration.runInPlace(path: store.path, options: options)
            try expectWhole(store.path, from: StoreFile(path: original), migration, "in place")
            try check(migration, store.file())
        }
    }
}

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

    private func database(_ path: String = ":memory:", _ more: String...) throws
        -> SQLiteConnection
    {
        let connection = try SQLiteConnection(path: path, mode: .create)
        for statement in Self.schema + more { try connection.execute(statement) }
        return connection
    }

    private func master(_ connection: SQLiteConnection) throws -> [[SQLiteValue]] {
        try connection.rows("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY rowid")
    }

    @Test func `the text is the one that SQLite writes, and its version moves`() throws {
        try withFolder { folder in
            let path = folder.appending(path: "fast").path
            let (slow, fast) = (try database(), try database(path))
            let other = try SQLiteConnection(path: path, mode: .readWrite)
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
        let connection = try database()
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

    @Test(arguments: [
        "CREATE TABLE T (a INTEGER, UNIQUE (a))", "CREATE TABLE T (a INTEGER CHECK (a > 1))",
        "CREATE TABLE T (a INTEGER -- and so on\n)", "CREATE TABLE T (\"a)\" INTEGER)",
        "CREATE TABLE T (a INTEGER PRIMARY KEY) STRICT", "CREATE VIEW T AS SELECT 1",
        "CREATE TABLE T AS SELECT 1 AS a UNION SELECT 'b)'", "CREATE TABLE T (a /* ) */ INTEGER)",
    ])
    func `what is not a table of plain columns is left to SQLite`(_ sql: String) throws {
        let connection = try database(":memory:", sql)
        var text = try SchemaText(connection)
        let isPlain = sql.contains("AS SELECT 1 AS a")
        #expect(text.add(column: "b BLOB", to: "T") == isPlain)
        guard isPlain else { return }
        try text.write(to: connection)
        #expect(try connection.value("SELECT count(*) FROM T WHERE b IS NULL") != nil)
    }

    @Test(arguments: [
        "CREATE VIEW V AS SELECT * FROM ZA",
        "CREATE TRIGGER R AFTER INSERT ON Z_1BS BEGIN DELETE FROM ZA; END",
        "CREATE TABLE C (a INTEGER REFERENCES ZA (Z_PK))",
    ])
    func `a table that something else may name is renamed by SQLite`(_ sql: String) throws {
        var text = try SchemaText(database(":memory:", sql))
        let isRenamed = text.rename(table: "ZA", to: "ZB")
        #expect(!isRenamed)
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

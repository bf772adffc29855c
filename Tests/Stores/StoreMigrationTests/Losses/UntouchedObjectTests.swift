import Diagnostics
import Foundation
import MigrationPlanning
import ObjectModel
import SQLiteAccess
import SettingsFiles
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct UntouchedObjectTests {
    private static func model(_ added: Attribute...) -> ManagedObjectModel {
        var model = modelOf("Other", "Person: name friends>>Person.friends")
        model.entities[0].attributes = added
        model.entities[1].attributes[0].isIndexed = true
        let index = FetchIndex(name: "byName", elements: [.init(.property("name"))])
        model.entities[1].fetchIndexes = [index]
        return model
    }

    /// A table that is rebuilt, as one that loses a column is.
    private static let old = model(Attribute("first", .string), Attribute("second", .string))
    private static let new = model(
        Attribute("first", .string),
        Attribute("third", .string, isOptional: false, defaultValue: .string("x"))
    )

    private static let rows =
        inserts("Person", "ZNAME", "'a'", "'b'") + inserts("Other", "ZFIRST", "'7'")

    private func migrated(_ store: TestStore) throws -> StoreFile {
        try store.result(of: store.migration(to: Self.new))
    }

    @Test(arguments: [
        "CREATE TRIGGER ZT_ZPERSON_COUNT AFTER INSERT ON ZPERSON BEGIN UPDATE ZPERSON SET ZNAME = 'x' WHERE Z_PK = NEW.Z_PK; END",
        "CREATE TRIGGER Z_RT_Other_map_INSERT AFTER INSERT ON ZOTHER BEGIN SELECT NEW.Z_PK; END",
        "CREATE TRIGGER Z_DA_ZPERSON_Person_sum_SOURCE_INSERT AFTER INSERT ON ZPERSON BEGIN SELECT 1; END",
        "CREATE INDEX Z_Person_unknown ON ZPERSON (ZNAME, Z_OPT)",
        "CREATE INDEX Z_Other_unknown ON ZOTHER (ZFIRST)",
        "CREATE VIEW others AS SELECT ZFIRST FROM ZOTHER",
        "CREATE VIEW people AS SELECT p.ZNAME, o.Z_PK FROM ZPERSON AS p, ZOTHER AS o",
    ])
    func `an object of the schema that no step names stays as it was, whatever its name`(
        _ object: String
    ) throws {
        try withStore(Self.old, Self.rows) { store in
            try store.execute(object)
            let result = try migrated(store)
            let objects = try result.connection.rows("SELECT sql FROM sqlite_master")
            #expect(objects.contains([.text(object)]))
            #expect(try result.integrityFaults().isEmpty)
        }
    }

    @Test func `tables that neither inference nor a map names are not read`() async {
        // The trace of SQLite has all connections of a process, so that this test has its own.
        await #expect(processExitsWith: .success) {
            let (old, new) = (UntouchedObjectTests.old, UntouchedObjectTests.new)
            for map in [nil, "entities: [{from: Other, to: Other, set: {third: $source.first}}]"] {
                try withStore(old, UntouchedObjectTests.rows) { store in
                    let traced = try StatementTrace.statements {
                        let work = map.map { CustomStageWork.mapped($0) }
                        let migration = try store.migration(to: new, by: work)
                        #expect(try migration.damage(in: store.file()).isEmpty)
                        try migration.runInPlace(path: store.path, options: .agreed)
                    }
                    #expect(traced.contains { $0.contains("ZOTHER") })
                    // The space is computed by the greatest keys, which reads no row.
                    let read = traced.filter { sql in
                        !sql.hasPrefix("PRAGMA") && !sql.hasPrefix("SELECT max(Z_PK)")
                            && (sql.contains("ZPERSON") || sql.contains("FRIENDS"))
                    }
                    #expect(read == [])
                }
            }
        }
    }

    @Test func `a to-many that is its own inverse keeps the direction of its rows`() throws {
        let join = try #require(StoreLayout(model: Self.old).joinTables.first)
        let rows = Self.rows + ["INSERT INTO \(join.name) VALUES (1, 2)"]
        try withStore(Self.old, rows) { store in
            #expect(try migrated(store).texts("SELECT * FROM \(join.name)") == ["1|2"])
        }
    }

    @Test func `an index that another of the same columns stands for is neither missing nor made`()
        throws
    {
        try withStore(Self.old, Self.rows) { store in
            try store.execute("DROP INDEX Z_Person_name")
            let rules = try store.findings().map(\.rule)
            #expect(rules.isEmpty, "\(rules)")
            #expect(try store.repair().isEmpty)
            let names = try migrated(store).schema().map(\.name)
            #expect(names.contains("Z_Person_byName") && !names.contains("Z_Person_name"))
        }
    }
}

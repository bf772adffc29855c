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
    private static func friends() -> Relationship {
        Relationship.many("friends", "Person", "friends")
    }

    private static func model(_ added: Attribute...) -> ManagedObjectModel {
        let name = Attribute(name: "name", type: .string, isIndexed: true)
        return ManagedObjectModel([
            Entity("Other", added),
            Entity(
                "Person",
                [name],
                relationships: [friends()],
                fetchIndexes: [FetchIndex(name: "byName", elements: [.init(.property("name"))])]
            ),
        ])
    }

    /// A table that is rebuilt, as one that loses a column is.
    private static let old = model(Attribute("first", .string), Attribute("second", .string))
    private static let new = model(
        Attribute("first", .string),
        Attribute("third", .string, isOptional: false, defaultValue: .string("x"))
    )

    private func store(_ folder: URL, _ statements: [String]) throws -> String {
        let path = folder.appending(path: "Store.sqlite").path
        try createStore(at: path, model: Self.old)
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        for sql in [
            "INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 2, 1, 'a'), (2, 2, 1, 'b')",
            "INSERT INTO ZOTHER (Z_PK, Z_ENT, Z_OPT, ZFIRST) VALUES (1, 1, 1, '7')",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 2",
        ] + statements { try connection.execute(sql) }
        return path
    }

    private func migrated(_ path: String, _ folder: URL) throws -> StoreFile {
        let store = try StoreFile(path: path)
        let migration = try Migration(of: store, from: Self.old, to: Self.new)
        let copy = folder.appending(path: "New.sqlite").path
        let options = MigrationOptions(acceptsLosses: .all)
        try migration.run(from: store, toNewFile: copy, options: options)
        return try StoreFile(path: copy)
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
        try withFolder { folder in
            let result = try migrated(store(folder, [object]), folder)
            let objects = try result.connection.rows("SELECT sql FROM sqlite_master")
            #expect(objects.contains([.text(object)]))
            #expect(try result.integrityFaults().isEmpty)
        }
    }

    @Test func `tables that neither inference nor a map names are not read`() async {
        // The trace of SQLite has all connections of a process, so that this test has its own.
        await #expect(processExitsWith: .success) {
            try withFolder { folder in
                let path = try UntouchedObjectTests().store(folder, [])
                for isMapped in [false, true] {
                    let copy = folder.appending(path: "\(isMapped).sqlite").path
                    try FileManager.default.copyItem(atPath: path, toPath: copy)
                    let traced = try StatementTrace.statements {
                        let store = try StoreFile(path: copy)
                        let migration = try UntouchedObjectTests.migration(of: store, isMapped)
                        #expect(try migration.damage(in: store).isEmpty)
                        try migration.runInPlace(path: copy, options: .agreed)
                    }
                    #expect(traced.contains { $0.contains("ZOTHER") })
                    #expect(
                        traced.filter {
                            // The space is computed by the greatest keys, which reads no row.
                            !$0.hasPrefix("PRAGMA") && !$0.hasPrefix("SELECT max(Z_PK)")
                                && ($0.contains("ZPERSON") || $0.contains("FRIENDS"))
                        } == []
                    )
                }
            }
        }
    }

    private static func migration(of store: StoreFile, _ isMapped: Bool) throws -> Migration {
        guard isMapped else {
            let (source, target) = (ModelVersion(model: old), ModelVersion(model: new))
            return try Migration(of: store, from: source, to: target)
        }
        let text = "entities: [{from: Other, to: Other, set: {third: $source.first}}]"
        let map = readStageMap(text, path: "map.yml").value
        return try StageModels.migration(of: store, from: old, to: new, by: map)
    }

    @Test func `a to-many that is its own inverse keeps the direction of its rows`() throws {
        try withFolder { folder in
            let join = try #require(StoreLayout(model: Self.old).joinTables.first)
            let path = try store(folder, ["INSERT INTO \(join.name) VALUES (1, 2)"])
            let result = try migrated(path, folder)
            let rows = try result.connection.rows("SELECT * FROM \(join.name)")
            #expect(rows == [[.integer(1), .integer(2)]])
        }
    }

    @Test func `an index that another of the same columns stands for is neither missing nor made`()
        throws
    {
        try withFolder { folder in
            let path = try store(folder, ["DROP INDEX Z_Person_name"])
            let rules = try verify(StoreFile(path: path), against: Self.old).map(\.rule)
            #expect(rules.isEmpty, "\(rules)")
            #expect(try StoreRepair(of: path, against: Self.old).isEmpty)
            let names = try migrated(path, folder).schema().map(\.name)
            #expect(names.contains("Z_Person_byName") && !names.contains("Z_Person_name"))
        }
    }
}

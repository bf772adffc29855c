import Diagnostics
import Foundation
import MigrationPlanning
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct ForeignObjectTests {
    private static func model(
        _ attributes: [Attribute],
        indexes: [FetchIndex] = []
    ) -> ManagedObjectModel {
        ManagedObjectModel([Entity("Thing", attributes, fetchIndexes: indexes)])
    }

    private static let kept = Attribute("kept", .string)
    private static let gone = Attribute("gone", .string)
    private static let place = ["east", "north"].map { Attribute($0, .double) }
    private static let spatial = FetchIndex(
        name: "map",
        elements: place.map { .init(.property($0.name), collation: .rTree) }
    )

    private static let objects = [
        "CREATE INDEX mine ON ZTHING (ZKEPT)", "CREATE INDEX theirs ON ZTHING (ZGONE)",
        "CREATE TABLE log (what TEXT)",
        "CREATE TRIGGER watching AFTER UPDATE ON ZTHING BEGIN INSERT INTO log VALUES (NEW.ZKEPT); END",
        "CREATE TRIGGER leaving AFTER UPDATE ON ZTHING BEGIN INSERT INTO log VALUES (NEW.ZGONE); END",
    ]

    private func names(_ store: StoreFile, _ type: String) throws -> [String] {
        let sql =
            "SELECT name FROM sqlite_master WHERE type = ? AND sql IS NOT NULL AND name NOT LIKE 'Z%' ORDER BY 1"
        return try store.connection.rows(sql, [.text(type)]).compactMap(\.first?.text)
    }

    @Test func `what names only what stays is set aside and put back, the rest is named`() throws {
        let added = Attribute("new", .string, defaultValue: .string("n"))
        try withSample(Self.model([Self.kept, Self.gone]), Self.objects) { store in
            let target = Self.model([Self.kept, added])
            let migration = try store.migration(to: target)
            let why = "on ZTHING is removed: it uses ZGONE, which is removed or renamed"
            #expect(
                migration.program.abandoned.map(\.description) == [
                    "the index theirs \(why)", "the trigger leaving \(why)",
                ]
            )
            func check(_ result: StoreFile) throws {
                #expect(try names(result, "index") == ["mine"])
                #expect(try names(result, "trigger") == ["watching"])
                #expect(try result.connection.value("SELECT count(*) FROM log")?.integer == 0)
            }
            try check(store.result(of: migration))
            let staged = try Migration(staging: store, to: target)
            let lost = Set(try staged.findings(in: store.file()).map(\.name))
            #expect(lost.isSuperset(of: ["Thing.theirs", "Thing.leaving"]))
            try staged.runInPlace(path: store.path, options: .agreed)
            try check(store.file())
        }
    }

    @Test(arguments: ["memo", "zip", "ZIP"])
    func `a column of the app's own goes only as agreed, whatever its name`(
        _ column: String
    ) throws {
        let own = [
            "ALTER TABLE ZTHING ADD COLUMN \(column) TEXT", "UPDATE ZTHING SET \(column) = 7",
        ]
        let target = Self.model([Attribute("new", .string, defaultValue: .string("n"))])
        try withSample(Self.model([Self.kept, Self.gone]), own) { store in
            let migration = try store.migration(to: target)
            #expect(migration.program.abandoned.map(\.name) == [column])
            let names = try migration.findings(in: store.file()).map(\.name)
            #expect(names.contains("Thing.\(column)"))
        }
    }

    @Test(arguments: [(true, true), (false, true), (true, false)])
    func `spatial indexes are made anew with rows and triggers`(
        hasBefore: Bool,
        hasAfter: Bool
    ) throws {
        func model(_ own: Attribute, _ isIndexed: Bool) -> ManagedObjectModel {
            Self.model([own] + Self.place, indexes: isIndexed ? [Self.spatial] : [])
        }
        try withSample(model(Self.gone, hasBefore)) { store in
            let target = model(Self.kept, hasAfter)
            let result = try store.result(of: store.migration(to: target))
            let layout = StoreLayout(model: target)
            let objects = "SELECT count(*) FROM sqlite_master WHERE type = 'trigger'"
            #expect(try result.connection.value(objects)?.integer == (hasAfter ? 3 : 0))
            for index in layout.spatialIndexes {
                let counts = try result.connection.rows(
                    "SELECT (SELECT count(*) FROM \(index.name)), (SELECT count(*) FROM ZTHING)"
                )
                #expect(counts[0][0] == counts[0][1])
            }
            #expect(layout.spatialIndexes.isEmpty != hasAfter)
            let errors = try verify(result, against: target).filter { $0.severity == .error }
            #expect(errors.map(\.description) == [])
        }
    }

    /// The second version has an entity more, so that numbers and join tables move.
    private static func library(_ isNew: Bool) -> ManagedObjectModel {
        var model = modelOf(
            "Book: pages>>Page.book tags>>Tag.books; Page: book>Book.pages",
            "Tag: books>>Book.tags"
        )
        let count = Attribute("count", .integer64, derivation: .init(expression: "pages.@count"))
        model.entities[0].attributes = isNew ? [count] : [count, gone]
        if isNew { model.entities.append(Entity("Author")) }
        return model
    }

    private static let rests: [[String]] = {
        let layout = StoreLayout(model: library(false))
        let join = layout.joinTables[0]
        let own = layout.indexes.first { $0.table == join.name }
        let trigger = layout.triggers[0]
        let drops = own.map { ["DROP INDEX \($0.name)"] } ?? []
        let columns = [join.first.name, join.second.name]
        let derived = """
            CREATE TRIGGER Z_DA_ZBOOK_Novel_was_SOURCE_INSERT AFTER INSERT ON ZBOOK FOR EACH ROW BEGIN \
            UPDATE ZBOOK SET ZGONE = 1 WHERE Z_PK = NEW.Z_PK; SELECT \
            NSCoreDataDATriggerInsertUpdatedAffectedObjectValue('ZNOVEL', Z_ENT, Z_PK, 'was', ZGONE) \
            FROM ZBOOK WHERE Z_PK = NEW.Z_PK; END
            """
        return [
            [],
            drops + [
                "CREATE INDEX Z_14TAGS_Z_22BOOKS_INDEX ON \"\(join.name)\" (\(columns[1]), \(columns[0]))"
            ],
            ["CREATE INDEX any ON \(join.name) (\(columns.joined(separator: ", ")))"],
            [
                "CREATE INDEX Z_Novel_byGone ON ZBOOK (ZGONE COLLATE BINARY ASC, ZCOUNT COLLATE BINARY DESC)"
            ],
            [
                "CREATE INDEX /* of a ( */ \"a(b\" ON \(join.name) ([\(columns[1])], \(columns[0])) --"
            ],
            [
                "CREATE INDEX Z_Novel_part ON ZBOOK (ZGONE COLLATE BINARY ASC) WHERE (ZGONE IS NOT NULL AND Z_PK > 3)"
            ],
            ["CREATE INDEX ZNOVEL_ZGONE_INDEX ON ZBOOK (ZGONE)"],
            ["CREATE INDEX ZLEAF_ZBOOK_INDEX ON ZPAGE (ZBOOK)"],
            [
                "DROP TRIGGER \(trigger.name)",
                trigger.sql.replacing(trigger.name, with: "Z_DA_ZLEAF_Novel_count_old"),
            ],
            [derived],
            [
                "CREATE TABLE ANSCKEVENT (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER)",
                "CREATE INDEX ANSCKEVENT_Z_ENT_INDEX ON ANSCKEVENT (Z_ENT)",
            ],
            ["UPDATE Z_MODELCACHE SET Z_CONTENT = x'00'"], ["DELETE FROM Z_MODELCACHE"],
        ]
    }()

    @Test(arguments: rests.indices)
    func `what Core Data leaves keeps no store from being migrated`(_ index: Int) throws {
        let (old, new) = (Self.library(false), Self.library(true))
        let join = StoreLayout(model: old).joinTables[0].name
        let rows = [
            "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1)",
            "INSERT INTO ZPAGE (Z_PK, Z_ENT, Z_OPT, ZBOOK) VALUES (1, 2, 1, 1)",
            "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 3, 1)",
            "INSERT INTO \(join) VALUES (1, 1)", "UPDATE Z_PRIMARYKEY SET Z_MAX = 1",
        ]
        for isStaged in [false, true] {
            try withStore(old) { store in
                try store.execute(rows + Self.rests[index])
                // Core Data's trigger of an attribute that is derived no more is all that is wrong.
                let isStale = Self.rests[index].joined().contains("'was'")
                #expect(try store.findings(old).filter { $0.severity != .note }.isEmpty != isStale)
                let repair = try store.repair()
                #expect(repair.obstacles.isEmpty && repair.remaining.isEmpty)
                let migration =
                    try isStaged
                    ? Migration(staging: store, to: new) : store.migration(to: new)
                #expect(try migration.damage(in: store.file()).isEmpty)
                try migration.runInPlace(path: store.path)
                #expect(try store.findings(new) == [])
                let made = Set(try store.file().schema().map(\.name))
                let layout = StoreLayout(model: new)
                let wanted = layout.indexes.map(\.name) + layout.triggers.map(\.name)
                #expect(made.isSuperset(of: wanted))
            }
        }
    }
}

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
    func `an object of the schema that no step names stays as it was`(_ object: String) throws {
        try withStore(Self.old, Self.rows) { store in
            try store.execute(object)
            let result = try migrated(store)
            let objects = try result.connection.rows("SELECT sql FROM sqlite_master")
            #expect(objects.contains([.text(object)]))
            #expect(try result.integrityFaults().isEmpty)
        }
    }

    @Test func `a view stays that names a converted column`() throws {
        let models = [Attribute("first", .integer32), Attribute("first", .double)].map {
            Self.model($0)
        }
        try withStore(models[0], Self.rows) { store in
            try store.execute("CREATE VIEW others AS SELECT ZFIRST FROM ZOTHER")
            let result = try store.result(of: store.migration(to: models[1]))
            #expect(try result.texts("SELECT typeof(ZFIRST) FROM others") == ["real"])
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
            let found = try migrated(store).texts("SELECT * FROM \(join.name)")
            #expect(found == ["1|2"])
        }
    }

    @Test func `an index that another stands for is neither missing nor made`() throws {
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

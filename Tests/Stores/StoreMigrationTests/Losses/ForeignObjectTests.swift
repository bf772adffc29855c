import Diagnostics
import Foundation
import MigrationPlanning
import MigrationTesting
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

    private func add(_ objects: [String], to path: String) throws {
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        for statement in objects { try connection.execute(statement) }
    }

    private func names(_ store: StoreFile, _ type: String) throws -> [String] {
        let sql =
            "SELECT name FROM sqlite_master WHERE type = ? AND sql IS NOT NULL AND name NOT LIKE 'Z%' ORDER BY 1"
        return try store.connection.rows(sql, [.text(type)]).compactMap(\.first?.text)
    }

    @Test func `what names only what stays is set aside and put back, the rest is named`() throws {
        try withFolder { folder in
            let source = ModelVersion(model: Self.model([Self.kept, Self.gone]))
            let target = ModelVersion(
                model: Self.model([
                    Self.kept, Attribute("new", .string, defaultValue: .string("n")),
                ])
            )
            let path = folder.appending(path: "Old.sqlite").path
            try makeSampleStore(at: path, model: source.model)
            try add(Self.objects, to: path)
            let store = try StoreFile(path: path)
            let migration = try Migration(of: store, from: source, to: target)
            #expect(
                migration.program.abandoned.map(\.description) == [
                    "the index theirs on ZTHING is removed: it names ZGONE, which is removed or renamed",
                    "the trigger leaving on ZTHING is removed: it names ZGONE, which is removed or renamed",
                ]
            )
            let new = folder.appending(path: "New.sqlite").path
            try migration.run(from: store, toNewFile: new, options: .agreed)
            let result = try StoreFile(path: new)
            #expect(try names(result, "index") == ["mine"])
            #expect(try names(result, "trigger") == ["watching"])
            #expect(try result.connection.value("SELECT count(*) FROM log")?.integer == 0)
            let stages = StagedMigrationManager([
                .lightweight(
                    LightweightMigrationStage(
                        [source, target].map { ManagedObjectModelReference($0) }
                    )
                )
            ])
            let staged = try Migration(of: store, by: stages)
            #expect(
                Set(try staged.findings(in: store).map(\.name)).isSuperset(
                    of: ["Thing.theirs", "Thing.leaving"]
                )
            )
            try staged.runInPlace(path: path, options: .agreed)
            let changed = try StoreFile(path: path)
            #expect(try names(changed, "index") == ["mine"])
            #expect(try names(changed, "trigger") == ["watching"])
            #expect(try changed.connection.value("SELECT count(*) FROM log")?.integer == 0)
        }
    }

    @Test(arguments: ["memo", "zip", "ZIP"])
    func `a column of the app's own goes only where that is agreed to, whatever its name`(
        _ column: String
    ) throws {
        try withFolder { folder in
            let path = folder.appending(path: "Old.sqlite").path
            let (source, target) = (
                Self.model([Self.kept, Self.gone]),
                Self.model([Attribute("new", .string, defaultValue: .string("n"))])
            )
            try makeSampleStore(at: path, model: source)
            try add(
                [
                    "ALTER TABLE ZTHING ADD COLUMN \(column) TEXT",
                    "UPDATE ZTHING SET \(column) = 7",
                ],
                to: path
            )
            let store = try StoreFile(path: path)
            let migration = try Migration(of: store, from: source, to: target)
            #expect(migration.program.abandoned.map(\.name) == [column])
            #expect(try migration.findings(in: store).map(\.name).contains("Thing.\(column)"))
        }
    }

    @Test(arguments: [(true, true), (false, true), (true, false)])
    func `spatial indexes are made anew with their rows and triggers`(
        hasBefore: Bool,
        hasAfter: Bool
    ) throws {
        try withFolder { folder in
            let source = Self.model(
                [Self.gone] + Self.place,
                indexes: hasBefore ? [Self.spatial] : []
            )
            let target = Self.model(
                [Self.kept] + Self.place,
                indexes: hasAfter ? [Self.spatial] : []
            )
            let path = folder.appending(path: "Old.sqlite").path
            try makeSampleStore(at: path, model: source)
            let store = try StoreFile(path: path)
            let migration = try Migration(of: store, from: source, to: target)
            let new = folder.appending(path: "New.sqlite").path
            try migration.run(from: store, toNewFile: new, options: .agreed)
            let result = try StoreFile(path: new)
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
        func link(_ name: String, _ end: String, _ inverse: String, many: Bool) -> Relationship {
            Relationship(
                name: name,
                isToMany: many,
                maxCount: many ? nil : 1,
                destinationEntity: end,
                inverseName: inverse,
                inverseEntity: end
            )
        }
        let count = Attribute("count", .integer64, derivation: .init(expression: "pages.@count"))
        let old = Attribute("gone", .string)
        return ManagedObjectModel(
            entities: (isNew ? [Entity("Author")] : []) + [
                Entity(
                    "Book",
                    [count] + (isNew ? [] : [old]),
                    relationships: [
                        link("pages", "Page", "book", many: true),
                        link("tags", "Tag", "books", many: true),
                    ]
                ),
                Entity("Page", relationships: [link("book", "Book", "pages", many: false)]),
                Entity("Tag", relationships: [link("books", "Book", "tags", many: true)]),
            ]
        )
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
            try withFolder { folder in
                let path = folder.appending(path: "Old.sqlite").path
                try createStore(at: path, model: old)
                do {
                    let connection = try SQLiteConnection(path: path, mode: .readWrite)
                    try connection.registerTriggerFunctions()
                    for sql in rows + Self.rests[index] { try connection.execute(sql) }
                }
                let store = try StoreFile(path: path)
                let (source, target) = (ModelVersion(model: old), ModelVersion(model: new))
                let references = [source, target].map { ManagedObjectModelReference($0) }
                let stages = StagedMigrationManager([
                    .lightweight(LightweightMigrationStage(references))
                ])
                let migration =
                    try isStaged
                    ? Migration(of: store, by: stages)
                    : Migration(of: store, from: source, to: target)
                #expect(try migration.damage(in: store).isEmpty)
                try migration.runInPlace(path: path)
                let result = try StoreFile(path: path)
                #expect(try verify(result, against: new) == [])
                let made = Set(try result.schema().map(\.name))
                let layout = StoreLayout(model: new)
                let wanted = layout.indexes.map(\.name) + layout.triggers.map(\.name)
                #expect(made.isSuperset(of: wanted))
            }
        }
    }
}

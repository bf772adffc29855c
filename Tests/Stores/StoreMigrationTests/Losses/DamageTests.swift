import Diagnostics
import Foundation
import LossCases
import MappingInference
import MigrationPlanning
import ObjectModel
import SQLiteAccess
import SettingsFiles
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct DamageTests {
    struct Damage: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var statements: [String]
    }

    private static func withoutKey(_ statement: String) -> [String] {
        [
            "ALTER TABLE Z_2TAGS RENAME TO old",
            "CREATE TABLE Z_2TAGS (Z_2BOOKS INTEGER, Z_5TAGS INTEGER)",
            "INSERT INTO Z_2TAGS SELECT * FROM old", "DROP TABLE old", statement,
        ]
    }

    static let damages = [
        ("links to no object", ["UPDATE ZBOOK SET ZAUTHOR = 99 WHERE Z_PK = 4"]),
        ("texts for keys", ["UPDATE ZBOOK SET ZAUTHOR = 'abc' WHERE Z_PK = 4"]),
        ("one side leads to no object", ["UPDATE ZBOOK SET ZCOVER = 99 WHERE Z_PK = 3"]),
        ("the other side does", ["UPDATE ZCOVER SET ZBOOK = 98, Z2_BOOK = 2 WHERE Z_PK = 3"]),
        ("pairs contradict each other", ["UPDATE ZBOOK SET ZCOVER = 1"]),
        (
            "join rows lead to no object",
            ["INSERT INTO Z_2TAGS (Z_2BOOKS, Z_5TAGS) VALUES (99, 1), (4, 77), (4, -5)"]
        ),
        ("join rows are doubled", withoutKey("INSERT INTO Z_2TAGS SELECT * FROM Z_2TAGS")),
        (
            "join rows lack a side",
            withoutKey(
                "INSERT INTO Z_2TAGS VALUES (1, NULL), (NULL, 1), (NULL, NULL), (NULL, NULL)"
            )
        ),
        (
            "values of other types",
            ["UPDATE ZBOOK SET ZWHOLE = 'abc', ZREAL = x'00', ZTITLE = x'ff' WHERE Z_PK < 3"]
        ),
        (
            "rows of no entity",
            [
                "UPDATE ZCOVER SET Z_ENT = 77 WHERE Z_PK = 3",
                "UPDATE ZTAG SET Z_ENT = NULL WHERE Z_PK = 1",
            ]
        ),
        ("rows of no entity in a hierarchy", ["UPDATE ZBOOK SET Z_ENT = 77 WHERE Z_PK = 3"]),
        ("links to rows of no entity", ["UPDATE ZAUTHOR SET Z_ENT = 77 WHERE Z_PK = 1"]),
        ("wrong numbers of entities", ["UPDATE ZCOVER SET Z2_BOOK = 77"]),
        ("greatest keys that are too small", ["UPDATE Z_PRIMARYKEY SET Z_MAX = 0"]),
        (
            "columns of the app's own",
            [
                "ALTER TABLE ZBOOK ADD COLUMN mine TEXT",
                "UPDATE ZBOOK SET mine = 'm' WHERE Z_PK < 3",
                "ALTER TABLE ZTAG ADD COLUMN mine TEXT", "ALTER TABLE Z_2TAGS ADD COLUMN mine",
                "CREATE INDEX ofMine ON ZBOOK (mine)", "CREATE INDEX ofOurs ON Z_2TAGS (mine)",
                "CREATE TRIGGER onMine AFTER UPDATE OF mine ON ZBOOK BEGIN SELECT NEW.mine; END",
            ]
        ),
        (
            "indexes and triggers of the app's own",
            [
                "CREATE INDEX mine1 ON ZBOOK (ZTITLE)", "CREATE INDEX mine2 ON Z_2TAGS (Z_5TAGS)",
                "CREATE TABLE log (x)", "CREATE VIEW v AS SELECT * FROM ZBOOK",
                "CREATE TRIGGER mine3 AFTER UPDATE ON ZBOOK BEGIN INSERT INTO log VALUES (1); END",
            ]
        ),
    ].map { Damage(testDescription: $0.0, statements: $0.1) }

    private static let changes = LossCase.all.filter {
        $0.against.isEmpty && $0.from == LossCase.model && $0.rows == LossCase.library
    }

    @Test(arguments: damages)
    func `damage does not stop a migration, is not worse after it, or is said to be in its way`(
        _ damage: Damage
    ) throws {
        #expect(Self.changes.count > 25)
        for (place, change) in Self.changes.enumerated() {
            try withStore(change.from, change.rows + damage.statements) { store in
                let before = try counts(store.file(), change.from)
                let migrations: [Migration]
                do {
                    migrations = try self.migrations(of: store, change, all: place % 8 == 0)
                } catch StoreMigrationError.inTheWay(_, let objects) {
                    // The view names every column of the table.
                    let names = objects.map { $0.hasPrefix("the view v, which names ZBOOK") }
                    #expect(names == [true], "\(change.title): \(objects)")
                    return
                }
                for migration in migrations {
                    try check(migration, of: store, change, before)
                }
            }
        }
    }

    private func check(
        _ migration: Migration,
        of store: TestStore,
        _ change: LossCase,
        _ before: [String: Int]
    ) throws {
        let after: [String: Int]
        do {
            let result = try store.result(of: migration, .agreed, "\(UUID().uuidString).sqlite")
            after = try counts(result, change.to)
        } catch StoreMigrationError.rows(let findings) {
            let words = findings.map { $0.reason.text(in: .code) }
            #expect(words.allSatisfy { $0.contains("damaged") }, "\(change)")
            return
        }
        // A derived attribute takes a value over, of whatever type it is.
        let isDerived = change.title == "an attribute becomes derived"
        for (rule, count) in after where !(isDerived && rule == "wrong-type") {
            #expect(count <= before[rule, default: 0], "\(change): \(rule)")
        }
    }

    /// The direct migration, and with `all` those by a stage and by a map.
    private func migrations(
        of store: TestStore,
        _ change: LossCase,
        all: Bool
    ) throws -> [Migration] {
        let direct = try store.migration(to: change.to)
        guard all else { return [direct] }
        let map = CustomStageWork.mapped("entities: [{from: Tag, to: Tag}]")
        return [direct, try Migration(staging: store, to: change.to)]
            + [try? store.migration(to: change.to, by: map)].compactMap(\.self)
    }

    private func counts(_ store: StoreFile, _ model: ManagedObjectModel) throws -> [String: Int] {
        let findings = try verify(store, against: model).filter {
            $0.severity != .note && $0.rule != "destination-count"
        }
        return Dictionary(findings.map { ($0.rule.rawValue, $0.count) }, uniquingKeysWith: +)
    }

    @Test func `a link that leads nowhere takes no place from one that leads somewhere`() throws {
        let change = try #require(
            LossCase.all.first { $0.title == "many-to-many becomes many-to-one" }
        )
        let damage = "INSERT INTO Z_2TAGS (Z_2BOOKS, Z_5TAGS) VALUES (2, -5), (4, -5), (99, 1)"
        try withStore(change.from, change.rows + [damage]) { store in
            let firsts = try store.rows(
                "SELECT Z_2BOOKS, min(Z_5TAGS) FROM Z_2TAGS "
                    + "WHERE Z_5TAGS IN (SELECT Z_PK FROM ZTAG) AND Z_2BOOKS IN (SELECT Z_PK FROM ZBOOK) "
                    + "GROUP BY 1 ORDER BY 1"
            )
            let migration = try store.migration(to: change.to)
            #expect(try migration.findings(in: store.file()).map(\.count) == [1])
            let links = "SELECT Z_PK, ZTAGS FROM ZBOOK WHERE ZTAGS NOT NULL ORDER BY 1"
            #expect(try store.result(of: migration).connection.rows(links) == firsts)
        }
    }
}

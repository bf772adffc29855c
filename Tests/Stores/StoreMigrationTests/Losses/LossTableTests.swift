import Diagnostics
import Foundation
import LossCases
import MappingInference
import MigrationPlanning
import ObjectModel
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

@testable import StoreMigration

struct LossTableTests {
    @Test(arguments: LossCase.all.filter(\.against.isEmpty))
    func `what is lost is counted, named and agreed to`(_ example: LossCase) throws {
        try withStore(example.from, example.rows) { store in
            let before = try store.bytes()
            let migration = try store.migration(to: example.to)
            let findings = try migration.findings(in: store.file())
            var told: [String: Int] = [:]
            for finding in findings {
                let isWhole = finding.isLoss && !finding.examples.isEmpty
                #expect(isWhole || finding.risk.unit == .schemaObjects, "\(finding)")
                let name = finding.names.first { example.lost[$0] != nil } ?? finding.name
                told[name, default: 0] += finding.count
            }
            let counted = try example.lost.mapValues { try Int(store.value($0)?.integer ?? -1) }
            #expect(told == counted)
            try run(migration, store, example, findings)
            #expect(try store.bytes() == before)
        }
    }

    private func run(
        _ migration: Migration,
        _ store: TestStore,
        _ example: LossCase,
        _ findings: [RowFinding]
    ) throws {
        let names = findings.map(\.name)
        func result(_ agreed: [String]) throws -> [RowFinding] {
            let options = MigrationOptions(acceptsLosses: .named(Set(agreed)))
            let new = store.place("New.sqlite")
            return try migration.run(from: store.file(), toNewFile: new, options: options)
        }
        for missing in names.indices {
            // An agreement for an entity holds for its sub-entities too, and a link has two names.
            let agreed = names.enumerated().filter { place, name in
                place != missing && !LossAgreement.named([name]).covers(findings[missing].names)
            }
            .map(\.element)
            #expect(throws: StoreMigrationError.self) { try result(agreed) }
        }
        #expect(try result(names) == findings)
        let new = try StoreFile(path: store.place("New.sqlite"))
        let errors = try verify(new, against: example.to).filter {
            $0.severity == .error && $0.rule.rawValue != "destination-count"
        }
        #expect(errors.map(\.description) == [])
    }

    /// With few entities in a table each row is compared with their numbers, with many the rows are sorted by them.
    @Test(arguments: [3, 40])
    func `values that are lost are counted for each entity of a table`(children: Int) throws {
        let new = ManagedObjectModel(
            [Entity("Thing")] + (1...children).map { Entity("Child\($0)", parentEntity: "Thing") }
        )
        var old = new
        old.entities[0].attributes = ["text", "number:integer32"].map(attributeOf)
        let gaps = [
            "UPDATE ZTHING SET ZTEXT = NULL WHERE Z_PK % 3 = 0",
            "UPDATE ZTHING SET ZNUMBER = NULL WHERE Z_ENT % 2 = 0",
        ]
        try withSample(old, gaps, rows: 5) { store in
            let counted = try store.rows(
                "SELECT n.Z_NAME, count(s.ZTEXT), count(s.ZNUMBER) FROM ZTHING AS s JOIN Z_PRIMARYKEY AS n USING (Z_ENT) GROUP BY n.Z_NAME"
            )
            var expected: [String: [Int]] = [:]
            for row in counted {
                for (name, count) in zip(["text", "number"], row.dropFirst())
                where count != .integer(0) {
                    let entity = try #require(row[0].text)
                    expected["\(entity).\(name)"] = [Int(count.integer ?? -1)]
                }
            }
            #expect(expected.count > children)
            let findings = try store.migration(to: new).findings(in: store.file())
            let found = Dictionary(grouping: findings, by: \.name).mapValues { $0.map(\.count) }
            #expect(found == expected)
        }
    }
}

struct RowEvidenceTests {
    @Test(arguments: LossCase.all.filter { !$0.against.isEmpty })
    func `what rows stand against is counted, and no guess is Apple's word`(
        _ example: LossCase
    ) throws {
        try withStore(example.from, example.rows) { store in
            let before = try store.bytes()
            let migration = try store.migration(to: example.to)
            let findings = try migration.findings(in: store.file())
            #expect(findings.allSatisfy { $0.count > 0 && !$0.examples.isEmpty })
            let fatal = findings.filter(\.risk.isFatal)
            #expect(Set(fatal.map(\.name)) == Set(example.against.keys))
            for finding in fatal {
                let isGuess = finding.risk.evidence.isGuess
                #expect(finding.description.contains("134110") == !isGuess, "\(finding)")
            }
            #expect(throws: StoreMigrationError.self) {
                try migration.runInPlace(path: store.path)
            }
            #expect(throws: StoreMigrationError.self) {
                try store.result(of: migration, MigrationOptions())
            }
            #expect(throws: StoreMigrationError.self) { try store.result(of: migration) }
            #expect(!FileManager.default.fileExists(atPath: store.place("New.sqlite")))
            #expect(try store.bytes() == before)
        }
    }
}

struct SaveRejectionTests {
    private static func model(
        _ validation: Attribute.Validation,
        _ type: AttributeType = .integer16,
        fallback: AttributeValue? = nil,
        leastBooks: Int? = nil
    ) -> ManagedObjectModel {
        var model = modelOf("Author: books>>Book.author; Guest/Author; Book: author>Author.books")
        model.entities[0].attributes = [
            Attribute(name: "age", type: type, validation: validation),
            Attribute(
                name: "rank",
                type: .integer16,
                isOptional: fallback == nil,
                defaultValue: fallback,
                validation: fallback == nil ? .init() : validation
            ),
        ]
        model.entities[0].relationships[0].isOptional = leastBooks == nil
        model.entities[0].relationships[0].minCount = leastBooks
        return model
    }

    private static let old = model(.init())
    private static let rows =
        [
            "INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT, ZAGE, ZRANK) VALUES (1, 1, 1, 5, 9), (2, 1, 1, 50, NULL), (3, 2, 1, 500, 1), (4, 2, 1, NULL, 2)"
        ] + inserts("Book", "ZAUTHOR", "1", "1", "3")

    private func rejections(
        by new: ManagedObjectModel
    ) throws -> (foretold: [Diagnostic], found: [Diagnostic]) {
        try withStore(Self.old, Self.rows) { store in
            let migration = try store.migration(to: new)
            func sorted(_ findings: [Diagnostic]) -> [Diagnostic] {
                findings.sorted { ($0.property ?? "") < ($1.property ?? "") }
            }
            let foretold = sorted(try migration.rejections(in: store.file()))
            let result = try store.result(of: migration, MigrationOptions())
            return (foretold, sorted(try validate(result, against: new)))
        }
    }

    @Test func `values are judged as they will be, converted and filled`() throws {
        let limits = Attribute.Validation(minimum: .integer(2), maximum: .integer(100))
        let (foretold, found) = try rejections(by: Self.model(limits, fallback: .integer(1)))
        #expect(foretold == found)
        #expect(foretold.map(\.keys) == [[3], [2, 3]], "\(foretold)")
        let numbers = Attribute.Validation(minimum: .double(5.5))
        let (told, seen) = try rejections(by: Self.model(numbers, .double))
        #expect(told == seen)
        #expect(told.map(\.keys) == [[1]], "\(told)")
    }

    @Test func `objects of an entity and its sub-entity are in the order of keys`() throws {
        let values = (1...7).map { "(\($0), \($0 % 2 + 1), 1)" }.joined(separator: ", ")
        let rows = "INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT) VALUES \(values)"
        let found = try withStore(Self.old, [rows]) { store in
            try store.migration(to: Self.model(.init(), leastBooks: 2)).rejections(in: store.file())
        }
        #expect(found.map(\.keys) == [[1, 2, 3, 4, 5]] && found.map(\.count) == [7])
    }

    @Test func `objects with too few links are counted`() throws {
        let (foretold, _) = try rejections(by: Self.model(.init(), leastBooks: 2))
        #expect(foretold.map(\.property) == ["books"])
        #expect(foretold.map(\.keys) == [[2, 3, 4]])
    }
}

struct DamageTests {
    private static func withoutKey(_ statement: String) -> [String] {
        [
            "ALTER TABLE Z_2TAGS RENAME TO old",
            "CREATE TABLE Z_2TAGS (Z_2BOOKS INTEGER, Z_5TAGS INTEGER)",
            "INSERT INTO Z_2TAGS SELECT * FROM old", "DROP TABLE old", statement,
        ]
    }

    static let damages: [(title: String, statements: [String])] = [
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
    ]

    private static let changes = LossCase.all.filter {
        $0.against.isEmpty && $0.from == LossCase.model && $0.rows == LossCase.library
    }

    @Test(arguments: damages)
    func `damage stops no migration and is no worse after it, or is told`(
        _ title: String,
        _ damage: [String]
    ) throws {
        #expect(Self.changes.count > 25)
        // On every push a quarter of the changes, another one for each damage.
        let offset = title.utf8.count
        for (place, change) in Self.changes.enumerated()
        where Sweep.isWhole || (place + offset) % 4 == 0 {
            try withStore(change.from, change.rows + damage) { store in
                let before = try counts(store.file(), change.from)
                let migrations: [Migration]
                do {
                    migrations = try self.migrations(
                        of: store,
                        change,
                        all: (place + offset) % 8 == 0
                    )
                } catch StoreMigrationError.inTheWay(_, let objects) {
                    // The view names every column of the table.
                    let names = objects.map { $0.hasPrefix("the view v, which uses ZBOOK") }
                    #expect(names == [true], "\(title): \(change.title): \(objects)")
                    return
                }
                for migration in migrations { try check(migration, of: store, change, before) }
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
        let isDerived = change.title.hasSuffix("becomes derived")
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
                "SELECT Z_2BOOKS, min(Z_5TAGS) FROM Z_2TAGS WHERE Z_5TAGS IN (SELECT Z_PK FROM ZTAG) AND Z_2BOOKS IN (SELECT Z_PK FROM ZBOOK) "
                    + "GROUP BY 1 ORDER BY 1"
            )
            let migration = try store.migration(to: change.to)
            #expect(try migration.findings(in: store.file()).map(\.count) == [1])
            let links = "SELECT Z_PK, ZTAGS FROM ZBOOK WHERE ZTAGS NOT NULL ORDER BY 1"
            #expect(try store.result(of: migration).connection.rows(links) == firsts)
        }
    }
}

import Foundation
import MigrationPlanning
import MigrationTesting
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

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
                "UPDATE ZTHING SET Z_ENT = CASE WHEN Z_ENT IN (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12) "
                    + "THEN Z_ENT + 1 ELSE Z_ENT END",
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

    private func migrate(
        from source: ManagedObjectModel,
        to target: ManagedObjectModel,
        _ check: (Migration, StoreFile) throws -> Void
    ) throws {
        try withFolder { folder in
            let path = folder.appending(path: "Store.sqlite").path
            try makeSampleStore(at: path, model: source)
            let original = folder.appending(path: "Old.sqlite").path
            try FileManager.default.copyItem(atPath: path, toPath: original)
            let migration = try Migration(of: StoreFile(path: path), from: source, to: target)
            let options = MigrationOptions(acceptsLosses: true, checksWholeFile: true)
            try migration.runInPlace(path: path, options: options)
            try expectWhole(path, from: StoreFile(path: original), migration, "in place")
            try check(migration, StoreFile(path: path))
        }
    }
}

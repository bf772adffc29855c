import Foundation
import MigrationPlanning
import MigrationTesting
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import Testing
import TestSupport

struct TreatmentTests {
    private static func model(
        _ thing: [Attribute],
        special: [Attribute] = [],
        others: [Entity] = []
    ) -> ManagedObjectModel {
        ManagedObjectModel(
            entities: others + [
                Entity(name: "Thing", attributes: thing),
                Entity(name: "Special", parentEntity: "Thing", attributes: special),
            ]
        )
    }

    private static let number = Attribute(name: "number", type: .integer32)
    private static let note = Attribute(name: "note", type: .string)
    private static let title = Attribute(name: "title", type: .string)

    private static let workers = (0..<10).map {
        Entity(name: "Worker\($0)", parentEntity: "Thing")
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var from: ManagedObjectModel
        var to: ManagedObjectModel
        var passes: [String]
    }

    static let cases: [Case] = [
        Case(
            testDescription: "a new optional attribute costs no pass",
            from: model([number]),
            to: model([number, note], special: [title]),
            passes: []
        ),
        Case(
            testDescription: "a removed attribute makes place for a new one of its type",
            from: model([note, number]),
            to: model([number, title]),
            passes: ["UPDATE ZTHING SET ZNOTE = NULL"]
        ),
        Case(
            testDescription: "an index whose values all change is made anew",
            from: model([number]),
            to: model([number], others: [Entity(name: "Account", attributes: [title])]),
            passes: [
                "UPDATE ZTHING SET Z_ENT = CASE Z_ENT WHEN 1 THEN 2 WHEN 2 THEN 3 ELSE Z_ENT END",
                "CREATE INDEX ZTHING_Z_ENT_INDEX ON ZTHING (Z_ENT)",
            ]
        ),
        Case(
            testDescription: "numbers of many entities are looked for at once",
            from: model([number], others: workers),
            to: model(
                [number],
                others: [Entity(name: "Account", attributes: [title])] + workers
            ),
            passes: [
                "UPDATE ZTHING SET Z_ENT = CASE WHEN Z_ENT IN (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12) "
                    + "THEN Z_ENT + 1 ELSE Z_ENT END",
                "CREATE INDEX ZTHING_Z_ENT_INDEX ON ZTHING (Z_ENT)",
            ]
        ),
        Case(
            testDescription: "an entity behind all others moves no number",
            from: model([number]),
            to: model([number], others: [Entity(name: "Zebra", attributes: [title])]),
            passes: []
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
        let rank = Attribute(
            name: "rank",
            type: .string,
            isOptional: false,
            defaultValue: .string("first")
        )
        let (old, new) = (Self.model([Self.note]), Self.model([], special: [rank]))
        try migrate(from: old, to: new) { _, store in
            let ranks = try store.connection.rows(
                "SELECT DISTINCT Z_ENT, ZRANK FROM ZTHING ORDER BY Z_ENT"
            )
            #expect(ranks == [[.integer(1), .null], [.integer(2), .text("first")]])
        }
    }

    @Test func `links of a to-one relationship go straight into a join table`() throws {
        let models = [false, true].map { isToMany in
            ManagedObjectModel(entities: [
                Entity(
                    name: "Company",
                    relationships: [
                        Relationship(
                            name: "staff",
                            isToMany: true,
                            destinationEntity: "Person",
                            inverseName: "employer",
                            inverseEntity: "Person"
                        )
                    ]
                ),
                Entity(
                    name: "Person",
                    relationships: [
                        Relationship(
                            name: "employer",
                            isToMany: isToMany,
                            maxCount: isToMany ? nil : 1,
                            destinationEntity: "Company",
                            inverseName: "staff",
                            inverseEntity: "Company"
                        )
                    ]
                ),
            ])
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
            let migration = try Migration(
                of: StoreFile(path: path),
                from: ModelVersion(model: source),
                to: ModelVersion(model: target)
            )
            let options = MigrationOptions(acceptsLosses: true, checksWholeFile: true)
            try migration.runInPlace(path: path, options: options)
            try expectWhole(path, from: StoreFile(path: original), migration, "in place")
            try check(migration, StoreFile(path: path))
        }
    }
}

import Foundation
import MappingInference
import MigrationPlanning
import MigrationTesting
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct RowRiskTests {
    typealias Case = (
        testDescription: String, from: ManagedObjectModel, to: ManagedObjectModel, spoil: String,
        message: String, isLoss: Bool
    )

    private static func model(
        _ attributes: [Attribute],
        isAbstract: Bool = false,
        unique: [[String]] = [],
        relationships: [Relationship] = []
    ) -> ManagedObjectModel {
        let thing = Entity(
            "Thing",
            isAbstract: isAbstract,
            attributes,
            relationships: relationships,
            uniquenessConstraints: unique.map { UniquenessConstraint(properties: $0) }
        )
        let child = Entity("Special", parentEntity: "Thing")
        return ManagedObjectModel([thing, child])
    }

    private static let text = Attribute("text", .string)
    private static let number = Attribute("number", .integer32)
    private static let mandatory = Attribute("text", .string, isOptional: false)

    static let cases: [Case] = [
        (
            "a new mandatory attribute without a default", model([number]),
            model([number, mandatory]), "UPDATE ZTHING SET ZNUMBER = 1",
            "missing attribute values on mandatory destination attribute, entity=Thing, "
                + "attribute=text (134110",
            false
        ),
        (
            "an attribute that becomes mandatory", model([text]), model([mandatory]),
            "UPDATE ZTHING SET ZTEXT = NULL WHERE Z_PK = 1",
            "missing attribute values on mandatory destination attribute, entity=Thing, "
                + "attribute=text (134110",
            false
        ),
        (
            "a new uniqueness constraint", model([text]), model([text], unique: [["text"]]),
            "UPDATE ZTHING SET ZTEXT = 'same'", "constraint violation during attempted migration",
            false
        ),
        (
            "an entity that becomes abstract", model([text]), model([text], isAbstract: true),
            "UPDATE ZTHING SET Z_ENT = 1", "becomes abstract", false
        ),
        (
            "a number type that becomes narrower", model([number]),
            model([Attribute("number", .integer16)]),
            "UPDATE ZTHING SET ZNUMBER = 70000 WHERE Z_PK = 1",
            "values do not fit the new type of Thing.number", true
        ),
    ]

    private func makeStore(_ folder: URL, _ example: Case, isSpoilt: Bool) throws -> String {
        let path = folder.appending(path: "Store.sqlite").path
        try makeSampleStore(at: path, model: example.from, rows: 3)
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        try connection.execute(
            "UPDATE ZTHING SET Z_ENT = 2 WHERE \(example.to.entities[0].isAbstract)"
        )
        if example.from.entities[0].attributes[0].name == "text" {
            try connection.execute("UPDATE ZTHING SET ZTEXT = 't' || Z_PK")
        }
        if isSpoilt { try connection.execute(example.spoil) }
        return path
    }

    @Test(arguments: cases)
    func `rows that are against a change are counted, and the store stays`(_ example: Case) throws {
        try withFolder { folder in
            let path = try makeStore(folder, example, isSpoilt: true)
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            let store = try StoreFile(path: path)
            let migration = try Migration(of: store, from: example.from, to: example.to)
            let findings = try migration.findings(in: store)
            #expect(findings.contains { $0.description.contains(example.message) }, "\(findings)")
            #expect(findings.allSatisfy { $0.count > 0 && !$0.examples.isEmpty })
            let result = folder.appending(path: "New.sqlite").path
            #expect(throws: StoreMigrationError.rows(findings)) {
                try migration.run(from: store, toNewFile: result)
            }
            #expect(throws: StoreMigrationError.rows(findings)) {
                try migration.runInPlace(path: path)
            }
            #expect(!FileManager.default.fileExists(atPath: result))
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
            guard example.isLoss else { return }
            try migration.run(
                from: store,
                toNewFile: result,
                options: MigrationOptions(acceptsLosses: true)
            )
            #expect(FileManager.default.fileExists(atPath: result))
        }
    }

    @Test(arguments: cases.dropFirst())
    func `rows that allow a change are migrated`(_ example: Case) throws {
        try withFolder { folder in
            let path = try makeStore(folder, example, isSpoilt: false)
            let store = try StoreFile(path: path)
            let migration = try Migration(of: store, from: example.from, to: example.to)
            #expect(try migration.findings(in: store) == [])
            let result = folder.appending(path: "New.sqlite").path
            try migration.run(from: store, toNewFile: result)
            try expectWhole(result, from: store, migration, example.testDescription)
        }
    }

    /// With few entities in a table each row is compared with their numbers, with many the rows are sorted by them.
    @Test(arguments: [3, 40])
    func `values that are lost are counted for each entity of a table`(children: Int) throws {
        func model(_ attributes: [Attribute]) -> ManagedObjectModel {
            let names = (1...children).map { "Child\($0)" }
            return ManagedObjectModel(
                entities: [Entity("Thing", attributes)]
                    + names.map { Entity($0, parentEntity: "Thing") }
            )
        }
        let (old, new) = (model([Self.text, Self.number]), model([]))
        try withFolder { folder in
            let path = folder.appending(path: "Store.sqlite").path
            try makeSampleStore(at: path, model: old, rows: 5)
            let connection = try SQLiteConnection(path: path, mode: .readWrite)
            try connection.execute("UPDATE ZTHING SET ZTEXT = NULL WHERE Z_PK % 3 = 0")
            try connection.execute("UPDATE ZTHING SET ZNUMBER = NULL WHERE Z_ENT % 2 = 0")
            let counted = try connection.rows(
                "SELECT n.Z_NAME, count(s.ZTEXT), count(s.ZNUMBER) FROM ZTHING AS s "
                    + "JOIN Z_PRIMARYKEY AS n USING (Z_ENT) GROUP BY n.Z_NAME"
            )
            var expected: [String: Int] = [:]
            for row in counted {
                let entity = try #require(row[0].text)
                expected["\(entity).text"] = row[1].integer.map { Int($0) }
                expected["\(entity).number"] = row[2].integer.map { Int($0) }
            }
            expected = expected.filter { $0.value > 0 }
            #expect(expected.count > children)
            let store = try StoreFile(path: path)
            let migration = try Migration(of: store, from: old, to: new)
            let findings = try migration.findings(in: store)
            let found = Dictionary(grouping: findings, by: \.name).mapValues { $0.map(\.count) }
            #expect(found == expected.mapValues { [$0] })
        }
    }
}

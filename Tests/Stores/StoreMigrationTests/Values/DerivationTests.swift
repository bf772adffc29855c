import Foundation
import MappingInference
import MigrationPlanning
import ObjectModel
import RowExchange
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct DerivationTests {
    private static func model(_ owner: String = "", _ expression: String? = nil)
        -> ManagedObjectModel
    {
        let home = Attribute("home", .composite, compositeName: "Address")
        var model = modelOf(
            "City: name",
            "Firm: name city>City staff>>Person.firm",
            "Person: age:integer32 name firm>Firm.staff",
            "Boss/Person"
        )
        model.composites = [CompositeType("Address", [attributeOf("street")])]
        model.entities[2].attributes.append(home)
        if let expression, let place = model.entities.firstIndex(where: { $0.name == owner }) {
            let derivation = Attribute.Derivation(expression: expression)
            let result = Attribute("result", .string, derivation: derivation)
            model.entities[place].attributes.append(result)
        }
        return model
    }

    private static let rows = """
        {"City": [{"@id": "c1", "name": "\u{C5}rhus"}, {"@id": "c2", "name": "Bern"}],
         "Firm": [
           {"@id": "f1", "name": "Looms", "city": "City/c1"}, {"@id": "f2", "name": "Engines"},
           {"@id": "f3", "name": null, "city": "City/c2"}],
         "Person": [
           {"@id": "p1", "name": "Ad\u{E4}", "age": 36, "home": {"street": "Main"}, "firm": "Firm/f1"},
           {"@id": "p2", "name": "Bob", "age": null, "firm": "Firm/f1"},
           {"@id": "p3", "name": null, "age": -4, "home": {"street": "Side"}}],
         "Boss": [{"@id": "b1", "name": "Eve", "age": 61, "firm": "Firm/f3"}]}
        """

    private func values(_ owner: String, _ expression: String) throws -> (
        made: [[SQLiteValue]], migrated: [[SQLiteValue]]
    ) {
        try withFolder { folder in
            let (old, new) = (Self.model(), Self.model(owner, expression))
            func values(_ name: String, _ model: ManagedObjectModel) throws -> [[SQLiteValue]] {
                let path = folder.appending(path: name).path
                let rows = RowSource(bytes: Array(Self.rows.utf8), path: "rows.json")
                try createStore(at: path, model: model, rows: rows)
                if model == old {
                    try Migration(of: StoreFile(path: path), from: old, to: new)
                        .runInPlace(path: path)
                }
                return try StoreFile(path: path).connection
                    .rows("SELECT Z_PK, ZRESULT FROM Z\(owner.uppercased()) ORDER BY Z_PK")
            }
            return (try values("Made.sqlite", new), try values("Migrated.sqlite", old))
        }
    }

    @Test(arguments: [
        ("Person", "firm.city.name"), ("Person", "home.street"), ("Person", "age + 1"),
        ("Person", "TERNARY(age > 40, name, firm.name)"), ("Person", "firm.staff.@count"),
        ("Person", "uppercase:(name)"), ("Person", "canonical:(firm.city.name)"),
        ("Firm", "staff.@count"), ("Firm", "staff.@sum.age"), ("Firm", "max:(staff.age)"),
    ])
    func `a derivation gives the same value to new rows and to migrated ones`(
        owner: String,
        expression: String
    ) throws {
        let (made, migrated) = try values(owner, expression)
        #expect(made == migrated)
        #expect(made.contains { $0[1] != .null }, "nothing was computed")
    }

    @Test func `a text with a zero byte in it is derived from whole`() throws {
        let connection = try SQLiteConnection(path: ":memory:", mode: .create)
        try registerDerivationFunctions(on: connection)
        for (name, result) in [("uppercase", "A\0B"), ("canonical", "a\0b"), ("lowercase", "a\0b")]
        {
            let value = try connection.value("SELECT momtool_\(name)(?)", [.text("a\0B")])
            #expect(value == .text(result), "\(name)")
        }
    }

    @Test func `derivations at random give the same value to new rows and to migrated ones`() throws
    {
        var generator = SeededGenerator(seed: 7)
        var computed = 0
        for _ in 0..<40 {
            let expression = Self.expression(depth: 3, &generator)
            let (made, migrated) = try values("Person", expression)
            #expect(made == migrated, "\(expression)")
            if made.contains(where: { $0[1] != .null }) { computed += 1 }
        }
        #expect(computed > 20, "\(computed) of 40 had values")
    }

    private static func expression(depth: Int, _ generator: inout SeededGenerator) -> String {
        let leaves = [
            "age", "name", "home.street", "firm.name", "firm.city.name", "firm.staff.@count",
            "count:(firm.staff)", "3", "'word'",
        ]
        guard depth > 0 else { return leaves[Int.random(in: leaves.indices, using: &generator)] }
        func next() -> String { expression(depth: depth - 1, &generator) }
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: return "(\(next()) + \(next()))"
        case 1: return "(\(next()) * 2)"
        case 2: return "uppercase:(\(next()))"
        case 3: return "canonical:(\(next()))"
        case 4: return "TERNARY(\(next()) == \(next()), \(next()), \(next()))"
        case 5: return "TERNARY(age > 30, \(next()), \(next()))"
        default: return leaves[Int.random(in: leaves.indices, using: &generator)]
        }
    }

    @Test func `a derivation that cannot be computed is said, and wants agreement`() throws {
        try withFolder { folder in
            let path = folder.appending(path: "Store.sqlite").path
            let (old, new) = (Self.model(), Self.model("Person", "frobnicate:(name)"))
            let rows = RowSource(bytes: Array(Self.rows.utf8), path: "rows.json")
            try createStore(at: path, model: old, rows: rows)
            let store = try StoreFile(path: path)
            let migration = try Migration(of: store, from: old, to: new)
            let findings = try migration.findings(in: store)
            #expect(findings.map(\.count).sorted() == [1, 3])
            #expect(findings.allSatisfy { $0.description.contains("frobnicate") })
            #expect(throws: StoreMigrationError.rows(findings)) {
                try migration.runInPlace(path: path)
            }
            try migration.runInPlace(path: path, options: MigrationOptions(acceptsLosses: true))
            let values = try StoreFile(path: path).connection.rows("SELECT ZRESULT FROM ZPERSON")
            #expect(values.allSatisfy { $0 == [.null] })
        }
    }
}

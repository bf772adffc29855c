import Diagnostics
import Foundation
import MappingInference
import MigrationPlanning
import ModelLanguage
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
            "City: name; Firm: name city>City staff>>Person.firm",
            "Person: age:integer32 name firm>Firm.staff; Boss/Person"
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
    func `new and migrated rows are derived alike`(owner: String, expression: String) throws {
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

    @Test func `new and migrated rows are derived alike at random`() throws {
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

    @Test func `a derivation that cannot be computed is reported, and needs no permission`() throws
    {
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
            try migration.runInPlace(path: path)
            let values = try StoreFile(path: path).connection.rows("SELECT ZRESULT FROM ZPERSON")
            #expect(values.allSatisfy { $0 == [.null] })
        }
    }
}

struct StaleDerivationTests {
    private static func derived(
        _ name: String,
        _ type: AttributeType,
        _ expression: String
    ) -> Attribute {
        Attribute(name, type, derivation: Attribute.Derivation(expression: expression))
    }

    private static let old: ManagedObjectModel = {
        var model = modelOf(
            "Firm: name spare size:integer16 staff>>Person.firm clubs>>Club.firms",
            "Person: name firm>Firm.staff; Boss/Person; Club: title firms>>Firm.clubs"
        )
        model.entities[0].attributes += [
            derived("low", .string, "canonical:(name)"),
            derived("staffCount", .integer64, "staff.@count"),
            derived("clubCount", .integer64, "clubs.@count"),
            derived("next", .double, "size + 1"), derived("saved", .date, "now()"),
        ]
        model.entities[1].attributes.append(derived("who", .string, "firm.low"))
        return model
    }()

    private static func edited(_ edit: (inout ManagedObjectModel) -> Void) -> ManagedObjectModel {
        var model = old
        edit(&model)
        return model
    }

    /// The old version with one more, unrelated attribute.
    private static let wider = edited {
        $0.entities[0].attributes.append(Attribute("more", .string))
    }

    private static let rows = """
        {"Firm": [{"@id": "f1", "name": "\u{C5}rhus", "spare": "Uno", "size": 1},
                  {"@id": "f2", "name": "Bern", "spare": "Due", "size": 2}],
         "Person": [{"@id": "p1", "firm": "Firm/f1"}, {"@id": "p2", "firm": "Firm/f2"}],
         "Boss": [{"@id": "b1", "firm": "Firm/f1"}],
         "Club": [{"@id": "c1", "firms": ["Firm/f1", "Firm/f2"]}, {"@id": "c2", "firms": ["Firm/f1"]}]}
        """

    private static let firms =
        "SELECT COALESCE(ZLOW, '-'), ZSTAFFCOUNT, ZCLUBCOUNT, CAST(ZNEXT AS INTEGER), CAST(ZSAVED AS INTEGER) FROM ZFIRM ORDER BY Z_PK"

    /// Makes a store, lets `work` change it, and returns the values of firms and people.
    private func values(_ work: (TestStore) throws -> Void) throws -> [String] {
        try withFolder { folder in
            let store = TestStore(folder: folder, model: Self.old)
            let rows = RowSource(bytes: Array(Self.rows.utf8), path: "rows.json")
            try createStore(at: store.path, model: Self.old, rows: rows)
            try store.execute("UPDATE ZFIRM SET ZSAVED = 77")
            try work(store)
            let all = try store.texts(Self.firms) + store.texts(Self.people)
            return all.map { $0.replacing("|", with: " ") }
        }
    }

    private func values(
        by work: CustomStageWork? = nil,
        to new: ManagedObjectModel = wider,
        _ policies: MigrationPolicies = MigrationPolicies()
    ) throws -> [String] {
        try values { try $0.migrate(to: new, by: work, policies) }
    }

    private static let people = "SELECT ZWHO FROM ZPERSON ORDER BY Z_PK"
    private static let words = ["arhus", "bern", "arhus"]
    private static let renamed = ["uno 2 2 2 77", "due 1 1 3 77", "uno", "due", "uno"]

    private static let changes: [(title: String, new: ManagedObjectModel, values: [String])] = [
        (
            "a sub-entity that goes leaves the counts of those that linked to it",
            edited { $0.entities.remove(at: 2) },
            ["arhus 1 2 2 77", "bern 1 1 3 77", "arhus", "bern"]
        ),
        (
            "links that only one object may keep leave the counts of the others",
            edited { $0.entities[3].relationships = [linkOf("firms>Firm.clubs")] },
            ["arhus 2 2 2 77", "bern 1 0 3 77"] + words
        ),
        (
            "another attribute under the name is what is derived from",
            edited { model in
                model.entities[0].attributes[0].renamingIdentifier = "spare"
                model.entities[0].attributes.remove(at: 1)
            },
            renamed
        ),
    ]

    @Test(arguments: changes.indices)
    func `what a change of the model touches is derived again`(_ index: Int) throws {
        let (title, new, expected) = Self.changes[index]
        #expect(try values(to: new) == expected, "\(title)")
    }

    /// A map with one mapping of an entity to itself.
    private static func map(
        _ entity: String,
        _ values: [String: ModelLanguage.PredicateExpression] = [:],
        where condition: ModelLanguage.Predicate? = nil,
        policy: String? = nil
    ) -> CustomStageWork {
        let map = StageMap.EntityMap(
            source: entity,
            destination: entity,
            condition: condition,
            values: values,
            policyName: policy
        )
        return CustomStageWork(map: StageMap(entities: [map]))
    }

    @Test func `what stays as it was is not computed again`() throws {
        let works: [CustomStageWork?] = [
            nil, Self.map("Firm", ["more": .constant(.string("m"))]),
            .after("UPDATE Firm SET spare = 'x';"),
        ]
        for work in works {
            let result = try values { store in
                // Impossible values show whether they are computed again.
                try store.execute("UPDATE ZFIRM SET ZLOW = 'own', ZNEXT = 9, ZCLUBCOUNT = 8")
                try store.migrate(to: Self.wider, by: work)
            }
            #expect(result.prefix(2) == ["own 2 8 9 77", "own 1 8 9 77"])
        }
    }

    @Test func `values of a map are derived from`() throws {
        let map = Self.map(
            "Firm",
            ["name": .keyPath(.variable("source"), "spare"), "size": .constant(.integer(4))]
        )
        let expected = ["uno 2 2 5 77", "due 1 1 5 77", "uno", "due", "uno"]
        #expect(try values(by: map) == expected)
    }

    @Test func `objects that a map leaves out are counted no more`() throws {
        let map = Self.map("Club", where: try Predicate(parsing: "SELF.firms.@count > 1"))
        #expect(try values(by: map) == ["arhus 2 1 2 77", "bern 1 1 3 77"] + Self.words)
    }

    private struct Renaming: EntityMigrationPolicy {
        func end(_ mapping: StageMap.EntityMap, manager: MigrationManager) throws {
            let store = manager.destinationContext
            for firm in try store.objects("Firm") {
                try store.update("Firm", firm.id, ["name": firm.value("spare")])
            }
        }
    }

    @Test func `what the code of a policy writes is derived from`() throws {
        let policies = MigrationPolicies(["Renaming": Renaming()])
        let map = Self.map("Club", policy: "Renaming")
        #expect(try values(by: map, policies) == Self.renamed)
    }

    @Test(arguments: [
        "UPDATE Firm SET name = spare;",
        "UPDATE Firm SET name = (SELECT o.spare FROM Firm AS o WHERE o.objectID = Firm.objectID);",
    ])
    func `what a script writes is derived from`(script: String) throws {
        #expect(try values(by: .before(script)) == Self.renamed)
        #expect(try values(by: .after(script)) == Self.renamed)
    }

    @Test func `what a handler writes, adds and deletes is derived from`() throws {
        let work = CustomStageWork.after { store in
            for firm in try store.objects("Firm") {
                try store.update("Firm", firm.id, ["name": firm.value("spare")])
            }
            let firm = try store.insert("Firm", ["name": .text("\u{C9}t\u{E9}")])
            try store.link("Firm", "clubs", from: firm, to: 1)
            try store.delete("Club", 2)
            try store.delete("Person", 1)
        }
        let result = try values(by: work)
        #expect(Array(result.prefix(2)) == ["uno 1 1 2 77", "due 1 1 3 77"])
        #expect(result[2].hasPrefix("ete 0 1 - "))
        #expect(result[2] != "ete 0 1 - -", "a new object has no time of its save")
        #expect(Array(result.dropFirst(3)) == ["due", "uno"])
    }

    @Test func `what a repair writes is derived from`() throws {
        let result = try values { store in
            try store.execute(
                "UPDATE ZFIRM SET ZSIZE = 'x' WHERE Z_PK = 1",
                "DELETE FROM ZCLUB WHERE Z_PK = 2"
            )
            let options = RepairOptions([.clearLinks], values: ["Firm.size": .integer(41)])
            try store.repair(options).run(inPlace: store.path, backup: nil)
        }
        #expect(result == ["arhus 2 1 42 77", "bern 1 1 3 77"] + Self.words)
    }

    @Test func `rows of no entity that go are counted no more`() throws {
        let result = try values { store in
            try store.execute("UPDATE ZPERSON SET Z_ENT = 99 WHERE Z_PK = 3")
            // The numbers of entities change, so that rows of none have to go.
            try store.migrate(to: Self.edited { $0.entities.append(Entity("Air")) })
        }
        #expect(result == ["arhus 1 2 2 77", "bern 1 1 3 77", "arhus", "bern"])
    }

    @Test func `what cannot be computed again is reported, and needs no permission`() throws {
        func model(_ type: AttributeType) -> ManagedObjectModel {
            let size = Attribute("size", type)
            let odd = Self.derived("odd", .integer64, "frobnicate:(size)")
            return ManagedObjectModel([Entity("Box", [size, odd])])
        }
        try withFolder { folder in
            let store = TestStore(folder: folder, model: model(.integer16))
            let rows = #"{"Box": [{"size": 3, "odd": 5}]}"#
            let source = RowSource(bytes: Array(rows.utf8), path: "rows.json")
            try createStore(at: store.path, model: store.model, rows: source)
            let migration = try store.migration(to: model(.integer64))
            let findings = try migration.findings(in: store.file())
            #expect(findings.map { $0.description.contains("Box.odd") } == [true])
            try migration.runInPlace(path: store.path, options: .agreed)
            #expect(try store.value("SELECT ZODD FROM ZBOX") == .integer(5))
        }
    }
}

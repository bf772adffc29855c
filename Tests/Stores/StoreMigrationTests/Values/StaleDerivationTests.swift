import Foundation
import MigrationPlanning
import ModelLanguage
import ObjectModel
import RowExchange
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct StaleDerivationTests {
    private static func derived(
        _ name: String,
        _ type: AttributeType,
        _ expression: String
    ) -> Attribute {
        Attribute(name, type, derivation: Attribute.Derivation(expression: expression))
    }

    private static let old = ManagedObjectModel([
        Entity(
            "Firm",
            [
                StageModels.text("name"), StageModels.text("spare"), Attribute("size", .integer16),
                derived("low", .string, "canonical:(name)"),
                derived("staffCount", .integer64, "staff.@count"),
                derived("clubCount", .integer64, "clubs.@count"),
                derived("next", .double, "size + 1"), derived("saved", .date, "now()"),
            ],
            relationships: [
                StageModels.link("staff", "Person", "firm", isToMany: true),
                StageModels.link("clubs", "Club", "firms", isToMany: true),
            ]
        ),
        Entity(
            "Person",
            [StageModels.text("name"), derived("who", .string, "firm.low")],
            relationships: [StageModels.link("firm", "Firm", "staff")]
        ),
        Entity("Boss", parentEntity: "Person"),
        Entity(
            "Club",
            [StageModels.text("title")],
            relationships: [StageModels.link("firms", "Firm", "clubs", isToMany: true)]
        ),
    ])

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
        "SELECT COALESCE(ZLOW, '-'), ZSTAFFCOUNT, ZCLUBCOUNT, CAST(ZNEXT AS INTEGER), "
        + "CAST(ZSAVED AS INTEGER) FROM ZFIRM ORDER BY Z_PK"

    /// Makes a store, lets `work` change it, and returns the values of firms and people.
    private func values(_ work: (String) throws -> Void) throws -> [String] {
        try withFolder { folder in
            let path = folder.appending(path: "Store.sqlite").path
            let rows = RowSource(bytes: Array(Self.rows.utf8), path: "rows.json")
            try createStore(at: path, model: Self.old, rows: rows)
            do {
                let connection = try SQLiteConnection(path: path, mode: .readWrite)
                try connection.execute("UPDATE ZFIRM SET ZSAVED = 77")
            }
            try work(path)
            let connection = try StoreFile(path: path).connection
            let all =
                try connection.rows(Self.firms)
                + connection.rows("SELECT ZWHO FROM ZPERSON ORDER BY Z_PK")
            return all.map { row in
                row.map { $0.text ?? $0.integer.map(String.init) ?? "-" }.joined(separator: " ")
            }
        }
    }

    private func values(inferring new: ManagedObjectModel) throws -> [String] {
        try values { path in
            try Migration(
                of: StoreFile(path: path),
                from: Self.old,
                to: new
            ).runInPlace(path: path, options: .agreed)
        }
    }

    private func values(
        by work: CustomStageWork,
        to new: ManagedObjectModel = wider,
        policies: MigrationPolicies = MigrationPolicies()
    ) throws -> [String] {
        try values { path in
            let store = try StoreFile(path: path)
            try StageModels.migration(
                of: store,
                from: Self.old,
                to: new,
                by: work,
                policies: policies
            ).runInPlace(path: path, options: .agreed)
        }
    }

    private static let untouched = ["arhus 2 2 2 77", "bern 1 1 3 77", "arhus", "bern", "arhus"]
    private static let renamed = ["uno 2 2 2 77", "due 1 1 3 77", "uno", "due", "uno"]

    @Test func `a sub-entity that goes leaves the counts of those that linked to it`() throws {
        let new = Self.edited { $0.entities.remove(at: 2) }
        #expect(
            try values(inferring: new)
                == ["arhus 1 2 2 77", "bern 1 1 3 77", "arhus", "bern"]
        )
    }

    @Test func `links that only one object may keep leave the counts of the others`() throws {
        let new = Self.edited { model in
            model.entities[3].relationships = [StageModels.link("firms", "Firm", "clubs")]
        }
        #expect(
            try values(inferring: new) == [
                "arhus 2 2 2 77", "bern 1 0 3 77", "arhus", "bern", "arhus",
            ]
        )
    }

    @Test func `another attribute under the name is what is derived from`() throws {
        let new = Self.edited { model in
            model.entities[0].attributes[0].renamingIdentifier = "spare"
            model.entities[0].attributes.remove(at: 1)
        }
        #expect(try values(inferring: new) == Self.renamed)
    }

    @Test func `what stays as it was is not computed again`() throws {
        try withKnownStale { path in
            try Migration(
                of: StoreFile(path: path),
                from: Self.old,
                to: Self.wider
            ).runInPlace(path: path)
        }
        try withKnownStale { path in
            let map = StageMap(entities: [
                .init(
                    source: "Firm",
                    destination: "Firm",
                    values: ["more": .constant(.string("m"))]
                )
            ])
            try StageModels.migrate(
                path,
                from: Self.old,
                to: Self.wider,
                by: CustomStageWork(map: map)
            )
        }
        try withKnownStale { path in
            let script = StageWork.script("UPDATE Firm SET spare = 'x';", path: "s.sql")
            let work = CustomStageWork(didMigrate: script)
            try StageModels.migrate(path, from: Self.old, to: Self.wider, by: work)
        }
    }

    /// Impossible values show whether they are computed again.
    private func withKnownStale(_ work: (String) throws -> Void) throws {
        let result = try values { path in
            do {
                let connection = try SQLiteConnection(path: path, mode: .readWrite)
                try connection.registerTriggerFunctions()
                try connection.execute("UPDATE ZFIRM SET ZLOW = 'own', ZNEXT = 9, ZCLUBCOUNT = 8")
            }
            try work(path)
        }
        #expect(result.prefix(2) == ["own 2 8 9 77", "own 1 8 9 77"])
    }

    @Test func `values of a map are derived from`() throws {
        let map = StageMap(entities: [
            .init(
                source: "Firm",
                destination: "Firm",
                values: [
                    "name": .keyPath(.variable("source"), "spare"),
                    "size": .constant(.integer(4)),
                ]
            )
        ])
        #expect(
            try values(by: CustomStageWork(map: map))
                == ["uno 2 2 5 77", "due 1 1 5 77", "uno", "due", "uno"]
        )
    }

    @Test func `objects that a map leaves out are counted no more`() throws {
        let map = StageMap(entities: [
            .init(
                source: "Club",
                destination: "Club",
                condition: try Predicate(parsing: "SELF.firms.@count > 1")
            )
        ])
        #expect(
            try values(by: CustomStageWork(map: map)) == [
                "arhus 2 1 2 77", "bern 1 1 3 77", "arhus", "bern", "arhus",
            ]
        )
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
        let map = StageMap(entities: [
            .init(source: "Club", destination: "Club", policyName: "Renaming")
        ])
        let policies = MigrationPolicies(["Renaming": Renaming()])
        #expect(try values(by: CustomStageWork(map: map), policies: policies) == Self.renamed)
    }

    @Test(arguments: [
        "UPDATE Firm SET name = spare;",
        "UPDATE Firm SET name = (SELECT o.spare FROM Firm AS o WHERE o.objectID = Firm.objectID);",
    ])
    func `what a script writes is derived from`(script: String) throws {
        let work = StageWork.script(script, path: "s.sql")
        #expect(try values(by: CustomStageWork(willMigrate: work)) == Self.renamed)
        #expect(try values(by: CustomStageWork(didMigrate: work)) == Self.renamed)
    }

    @Test func `what a handler writes, adds and deletes is derived from`() throws {
        let work = CustomStageWork(
            didMigrate: .handler { store in
                for firm in try store.objects("Firm") {
                    try store.update("Firm", firm.id, ["name": firm.value("spare")])
                }
                let firm = try store.insert("Firm", ["name": .text("\u{C9}t\u{E9}")])
                try store.link("Firm", "clubs", from: firm, to: 1)
                try store.delete("Club", 2)
                try store.delete("Person", 1)
            }
        )
        let result = try values(by: work)
        #expect(Array(result.prefix(2)) == ["uno 1 1 2 77", "due 1 1 3 77"])
        #expect(result[2].hasPrefix("ete 0 1 - "))
        #expect(result[2] != "ete 0 1 - -", "a new object has no time of its save")
        #expect(Array(result.dropFirst(3)) == ["due", "uno"])
    }

    @Test func `what a repair writes is derived from`() throws {
        let result = try values { path in
            do {
                let connection = try SQLiteConnection(path: path, mode: .readWrite)
                try connection.execute("UPDATE ZFIRM SET ZSIZE = 'x' WHERE Z_PK = 1")
                try connection.execute("DELETE FROM ZCLUB WHERE Z_PK = 2")
            }
            try StoreRepair(
                of: path,
                against: Self.old,
                options: RepairOptions(values: ["Firm.size": .integer(41)], clearsLinks: true)
            ).run(inPlace: path, backup: nil)
        }
        #expect(result == ["arhus 2 1 42 77", "bern 1 1 3 77", "arhus", "bern", "arhus"])
    }

    @Test func `rows of no entity that go are counted no more`() throws {
        let result = try values { path in
            do {
                let connection = try SQLiteConnection(path: path, mode: .readWrite)
                try connection.execute("UPDATE ZPERSON SET Z_ENT = 99 WHERE Z_PK = 3")
            }
            // The numbers of entities change, so that rows of none have to go.
            let new = Self.edited { $0.entities.append(Entity("Air")) }
            try Migration(
                of: StoreFile(path: path),
                from: Self.old,
                to: new
            ).runInPlace(path: path, options: .agreed)
        }
        #expect(result == ["arhus 1 2 2 77", "bern 1 1 3 77", "arhus", "bern"])
    }

    @Test func `what cannot be computed again is said, and wants agreement`() throws {
        func model(_ type: AttributeType) -> ManagedObjectModel {
            let size = Attribute("size", type)
            let odd = Self.derived("odd", .integer64, "frobnicate:(size)")
            return ManagedObjectModel([Entity("Box", [size, odd])])
        }
        try withFolder { folder in
            let path = folder.appending(path: "Store.sqlite").path
            let rows = #"{"Box": [{"size": 3, "odd": 5}]}"#
            let source = RowSource(bytes: Array(rows.utf8), path: "rows.json")
            try createStore(at: path, model: model(.integer16), rows: source)
            let store = try StoreFile(path: path)
            let migration = try Migration(of: store, from: model(.integer16), to: model(.integer64))
            let findings = try migration.findings(in: store)
            #expect(findings.map { $0.description.contains("Box.odd is not computed") } == [true])
            try migration.runInPlace(path: path, options: .agreed)
            #expect(try store.connection.value("SELECT ZODD FROM ZBOX") == .integer(5))
        }
    }
}

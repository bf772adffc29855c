// swift-format-ignore-file
// Made of the pages and comments: run MOMTOOL_RECORD=1 swift test --filter DocumentedExampleTests.
import Foundation
import Momtool
import MomtoolTesting
import Testing

/// What the examples take for granted.
private struct DocumentedExamples {
    let model: Model
    let migrator: Migrator
    let store: Store
    let diff: Diff
    let row: Row
    var editor: ModelEditor

    func example1() throws {
    let cities = StageHandlers(willMigrate: { store in
        try store.fetch("Person", where: "city NOT NULL") { person in
            let city = try store.findOrCreate("City", ["name": person.value("city")])
            try store.update("Person", person.id, ["home": .integer(city)])
        }
    })
    struct CustomerPolicy: EntityMigrationPolicy {}
    let migrator = try Migrator(
        Model("Shop.xcdatamodeld"),
        stages: "Stages.yml",
        handlers: ["Split cities": cities],
        policies: ["Shop.CustomerPolicy": CustomerPolicy()]
    )
    try migrator.migrateInPlace(Store("Shop.sqlite"), backup: "Backup.sqlite", timeout: .seconds(60))
    _ = cities
    _ = migrator
    }

    func example2() throws {
    let report = StageHandlers(didMigrate: { store in
        let books = try store.count("Book")
        if !store.isRehearsal { print("\(books) books are migrated") }
    })
    _ = report
    }

    func example3() throws {
    try expectMigration(
        of: "Shop.xcdatamodeld", from: "V1",
        rows: #"{"Person": [{"@id": "p1", "name": "Ada"}]}"#,
        contains: #"{"Person": [{"@id": "p1", "fullName": "Ada"}]}"#
    )
    }

    func example4() throws {
    let capitals = StageHandlers(didMigrate: { store in
        for person in try store.objects("Person") {
            let name = try person.value("name").text ?? ""
            try store.update("Person", person.id, ["name": .text(name.uppercased())])
        }
    })
    try expectMigration(
        of: "Shop.xcdatamodeld", from: "V1", stages: "Stages.yml", handlers: ["Capitals": capitals],
        rows: #"{"Person": [{"@id": "p1", "name": "Ada"}]}"#,
        gives: #"{"Person": [{"@id": "p1", "name": "ADA"}]}"#
    )
    _ = capitals
    }

    func example5() throws {
    do {
        try migrator.migrate(store, to: "New.sqlite")
    } catch {
        guard error.advice.allSatisfy(\.isComplete) else { throw error }
        try migrator.migrate(store, to: "New.sqlite", following: error.advice)
    }
    }

    func example6() throws {
    for finding in try Linter().findings(in: "Shop.xcdatamodeld") { print(finding) }
    }

    func example7() throws {
    try Compiler().compile(Model("Shop.xcdatamodeld"), to: "Shop.momd")
    }

    func example8() throws {
    let diff = try Model("Shop.xcdatamodeld").diff(from: "V1")
    for change in diff.changes { print(change.element, change.kind, change.verdict) }
    _ = diff
    }

    func example9() throws {
    for change in diff.changes {
        if case .type(let old, let new) = change.kind { print(change.element, old, new) }
    }
    }

    func example10() throws {
    let advice: [Advice] = [.clearLinks, .setValue(of: "Book.title", to: "untitled")]
    let repair = try Doctor(model).repair("Shop.sqlite", to: "Repaired.sqlite", following: advice)
    print(repair.steps, repair.remaining)
    _ = advice
    _ = repair
    }

    func example11() throws {
    let doctor = Doctor(try Model("Shop.xcdatamodeld"))
    for advice in try doctor.examine("Shop.sqlite").remedies.compactMap(\.repair) {
        print(try doctor.repair("Shop.sqlite", to: "Repaired.sqlite", following: advice))
    }
    _ = doctor
    }

    func example12() throws {
    let lock = Lock(of: try Model("Shop.xcdatamodeld"))
    for finding in try lock.findings() { print(finding) }
    try lock.update(unshipped: ["V3"])
    _ = lock
    }

    func example13() throws {
    let migration = try Migrator(Model("Shop.xcdatamodeld")).migration(of: Store("Shop.sqlite"))
    for step in migration.steps { print(step.title, step.statements) }
    _ = migration
    }

    func example14() throws {
    let migrator = try Migrator(Model("Shop.xcdatamodeld"))
    try migrator.migrate(Store("Shop.sqlite"), to: "New.sqlite", following: [.allowLoss("Book.notes")])
    _ = migrator
    }

    func example15() throws {
    for loss in try migrator.losses(of: Store("Shop.sqlite")) { print(loss.message, loss.advice) }
    }

    func example16() throws {
    let split = StageHandlers(didMigrate: { store in
        for person in try store.objects("Person") {
            try store.update("Person", person.id, ["givenName": person.value("name")])
        }
    })
    let migrator = try Migrator(model, stages: "Stages.yml", handlers: ["Split names": split])
    _ = split
    _ = migrator
    }

    func example17() throws {
    let model = try Model("Shop.xcdatamodeld")
    for version in model.versions { print(version.name, try version.versionChecksum) }
    _ = model
    }

    func example18() throws {
    let diff = try Model("Shop.xcdatamodeld").diff()
    print(diff.verdict, diff.losses)
    _ = diff
    }

    func example19() throws {
    var editor = try ModelEditor("Shop.xcdatamodeld")
    try editor.apply([.rename("Stop.label", to: "caption"), .addAttribute("Stop.rating", .double)])
    try editor.write()
    _ = editor
    }

    mutating func example20() throws {
    try editor.apply([
        .rename("Stop.label", to: "caption"),
        .addAttribute("Stop.rating", .double, isOptional: false, defaultValue: "0"),
    ])
    }

    mutating func example21() throws {
    try editor.apply("- {add: attribute Book.isbn, with: {attributeType: String}}")
    }

    func example22() throws {
    let rows = Rows(of: try Store("Shop.sqlite"), entities: ["Author"], where: "name BEGINSWITH 'A'")
    for row in try rows.all() { print(row) }
    print(try rows.json())
    _ = rows
    }

    func example23() throws {
    let rows = #"{"Author": [{"@id": "p1", "name": "Ada"}]}"#
    let store = try Store.create("Test.sqlite", of: Model("Shop.xcdatamodeld"), rows: .json(rows))
    _ = rows
    _ = store
    }

    func example24() throws {
    for row in try Rows(of: store, entities: ["Book"]).all() {
        let title = try row.value("title", as: String.self)
        print(row.id, title ?? "untitled", try row.references("authors"))
    }
    }

    func example25() throws {
    enum Shelf: Int, RowValue { case left, right }
    let shelf = try row.value("shelf", as: Shelf.self)
    _ = shelf
    }

    func example26() throws {
    let store = try Store("Shop.sqlite")
    let version = try store.version(in: Model("Shop.xcdatamodeld"))
    for finding in try store.verify() { print(finding) }
    _ = store
    _ = version
    }

    func example27() throws {
    let store = try Store.create("Test.sqlite", of: Model("Shop.xcdatamodeld"), rows: .file("Rows.json"))
    _ = store
    }

    func example28() throws {
    try migrator.migrate(store, to: "New.sqlite") { progress in print(progress.title, progress.done) }
    }

    func example29() async throws {
    let losses = try await inBackground { try migrator.losses(of: store) }
    _ = losses
    }

    func example30() throws {
    let migrator = try Migrator(Model("Shop.xcdatamodeld"))
    let store = try Store("Shop.sqlite")
    for loss in try migrator.losses(of: store) { print(loss) }
    try migrator.migrate(store, to: "New.sqlite", following: [.allowLoss("Book.notes")])
    _ = migrator
    _ = store
    }

    func example31() throws {
    do throws(MomtoolError) {
        try migrator.migrate(store, to: "New.sqlite")
    } catch {
        for diagnostic in error.diagnostics { print(diagnostic.message, diagnostic.advice) }
    }
    }

    func example32() throws {
    let migration = try Migrator(Model("Shop.xcdatamodeld")).migration(of: Store("Shop.sqlite"))
    for step in migration.steps { print(step.title, step.statements) }
    for warning in migration.diagnostics { print(warning.message, warning.advice) }
    _ = migration
    }

    func example33() throws {
    struct SplitName: EntityMigrationPolicy {
        func createDestinationInstances(
            forSource source: StoreObject, in mapping: StageMap.EntityMap, manager: MigrationManager
        ) throws {
            guard let id = try manager.createDestinationInstance(forSource: source.id, in: mapping),
                let name = try source.value("name").text else { return }
            try manager.destinationContext.update("Person", id, ["first": .text(String(name.prefix(1)))])
        }
    }
    }

    func example34() throws {
    let rate = StageHandlers(didMigrate: { store in
        for book in try store.objects("Book") {
            do throws(StoreContextError) {
                try store.update("Book", book.id, ["rating": .integer(3)])
            } catch .unknownProperty {
                return
            }
        }
    })
    _ = rate
    }

    func example35() throws {
    let shout = StageHandlers(didMigrate: { store in
        for book in try store.objects("Book") {
            let title = try book.value("title").text ?? ""
            try store.update("Book", book.id, ["title": .text(title.uppercased())])
        }
    })
    _ = shout
    }
}

@Suite(.disabled("the files of these examples are those of the reader"))
private struct DocumentedTests {
    @Test func `a name is split`() throws {
        try expectMigration(
            of: "Shop.xcdatamodeld", from: "V1", to: "V2",
            rows: #"{"Person": [{"@id": "p1", "name": "Ada Lovelace"}]}"#,
            gives: #"{"Person": [{"@id": "p1", "firstName": "Ada", "lastName": "Lovelace"}]}"#
        )
    }

    @Test func `all cases pass`() throws { try expectCases(in: "Tests/Cases") }

    @Test func `every version migrates`() throws { try expectMatrix(of: "Shop.xcdatamodeld") }

    @Test func `names are kept`() throws {
        try expectMigration(
            of: "Shop.xcdatamodeld", from: "V1", to: "V2",
            rows: #"{"Person": [{"@id": "p1", "name": "Ada"}]}"#,
            gives: #"{"Person": [{"@id": "p1", "fullName": "Ada"}]}"#
        )
    }

    @Test func `titles are in capitals`() throws {
        let shout = StageHandlers(didMigrate: { store in
            for book in try store.objects("Book") {
                let title = try book.value("title").text ?? ""
                try store.update("Book", book.id, ["title": .text(title.uppercased())])
            }
        })
        try expectMigration(
            of: "Shop.xcdatamodeld", from: "V1", stages: "Stages.yml", handlers: ["Shout": shout],
            rows: #"{"Book": [{"@id": "p1", "title": "Emma"}]}"#,
            gives: #"{"Book": [{"@id": "p1", "title": "EMMA"}]}"#
        )
    }

    @Test func `names are kept, whatever else there is`() throws {
        try expectMigration(
            of: "Shop.xcdatamodeld", from: "V1", to: "V2",
            rows: #"{"Person": [{"@id": "p1", "name": "Ada"}]}"#,
            contains: #"{"Person": [{"@id": "p1", "fullName": "Ada"}]}"#
        )
    }

    @Test func `two people of one name stand in the way`() throws {
        try expectRefusal(
            of: "Shop.xcdatamodeld", from: "V1",
            rows: #"{"Person": [{"@id": "p1", "name": "Ada"}, {"@id": "p2", "name": "Ada"}]}"#,
            code: 134110
        )
    }
}

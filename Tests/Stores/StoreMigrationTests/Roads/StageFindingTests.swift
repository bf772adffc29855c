import Diagnostics
import Foundation
import MigrationPlanning
import ObjectModel
import SettingsFiles
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct StageFindingTests {
    private static let old = modelOf(
        "Author: name! pen",
        "Book: code! title!",
        "Novel/Book"
    )

    private static let wider: ManagedObjectModel = {
        var model = old
        model.entities[0].attributes.append(attributeOf("more"))
        return model
    }()

    private static let new: ManagedObjectModel = {
        var model = modelOf("Writer: fullName! pen", "Book: code! title!", "Novel/Book")
        model.entities[0].renamingIdentifier = "Author"
        model.entities[0].attributes[0].renamingIdentifier = "name"
        return model
    }()

    private static let rows = [
        "INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT, ZNAME, ZPEN) VALUES (1, 1, 1, NULL, 'p'), (2, 1, 1, 'b', 'q')",
        "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZCODE, ZTITLE) VALUES (1, 2, 1, 'c', 't'), (2, 3, 1, 'd', 'u')",
    ]

    private func refusals(_ store: TestStore, _ new: ManagedObjectModel, _ work: CustomStageWork)
        throws -> [Diagnostic]
    {
        do {
            try store.migrate(to: new, by: work)
            return []
        } catch StoreMigrationError.stageFindings(_, let findings) {
            return findings
        }
    }

    /// Migrates a store whose author 1 lacks a name; returns the refusals of the stage.
    private func refused(
        _ work: CustomStageWork,
        to new: ManagedObjectModel = wider,
        damage: String = ""
    ) throws -> [String] {
        try withStore(Self.old, Self.rows + [damage]) { store in
            try refusals(store, new, work).map {
                "\($0.entity ?? "").\($0.property ?? ""): \($0.count)"
            }
        }
    }

    @Test(arguments: [
        ("UPDATE Author SET name = 'a' WHERE name IS NULL", []),
        ("UPDATE Author SET pen = 'a'", []),
        (
            "UPDATE Author SET name = 'a' WHERE name IS NULL; UPDATE Book SET code = NULL WHERE objectID = 1",
            ["Book.code: 1"]
        ),
        (
            "UPDATE Book SET title = NULL WHERE objectID = 2; UPDATE Author SET name = 'a'",
            ["Book.title: 1"]
        ),
        ("UPDATE Author SET name = NULL", ["Author.name: 2"]),
    ])
    func `a script that mends one fault may not break something else`(
        _ script: String,
        _ expected: [String]
    ) throws {
        #expect(try refused(.before(script)) == expected, "\(script)")
    }

    private static let shelved = modelOf(
        "Book: title shelf>Shelf.books!",
        "Map: title shelf>Shelf.maps!",
        "Shelf: name books>>Book.shelf maps>>Map.shelf"
    )

    private static let shelvedRows =
        inserts("Book", "ZTITLE", "'s'") + inserts("Map", "ZTITLE, ZSHELF", "'t', 1")
        + inserts("Shelf", "ZNAME", "'s'")

    @Test(arguments: [(["Book", "Map"], ["Map.shelf"]), (["Book"], [])])
    func `a map that mends one fault may not break something else`(
        _ entities: [String],
        _ expected: [String]
    ) throws {
        let find = "{find: {entity: Shelf, key: name, equals: $source.title}}"
        let maps = entities.map { "{from: \($0), to: \($0), set: {shelf: \(find)}}" }
        try withStore(Self.shelved, Self.shelvedRows) { store in
            var new = Self.shelved
            new.entities[2].attributes.append(attributeOf("more"))
            let map = CustomStageWork.mapped("entities: [\(maps.joined(separator: ", "))]")
            let refused = try refusals(store, new, map)
            #expect(refused.map { "\($0.entity ?? "").\($0.property ?? "")" } == expected)
        }
    }

    @Test func `damage that a map copies under another name is no worse`() throws {
        let map = "{from: Author, to: Writer, set: {pen: {constant: x}}}"
        #expect(try refused(.mapped("entities: [\(map)]"), to: Self.new) == [])
        let twice = "{from: Author, to: Writer, set: {fullName: $source.name, pen: {constant: y}}}"
        #expect(try refused(.mapped("entities: [\(map), \(twice)]"), to: Self.new) == [])
        let damage = "UPDATE ZBOOK SET ZTITLE = NULL WHERE Z_PK = 2"
        let other = "{from: Novel, to: Novel, set: {code: {constant: x}}}"
        #expect(try refused(.mapped("entities: [\(other)]"), to: Self.new, damage: damage) == [])
    }

    private func missing(_ entity: String, _ property: String, _ count: Int = 1) -> Diagnostic {
        Diagnostic(
            .missingValue,
            "required, but without a value",
            entity: entity,
            property: property,
            rows: Diagnostic.AffectedRows(count: count, unit: "row", keys: [])
        )
    }

    @Test func `a matrix takes for known what had its name before`() throws {
        let route = MigrationRoute(
            from: ModelVersion(name: "1", model: Self.old),
            to: ModelVersion(name: "2", model: Self.new)
        )
        let migration = try Migration(predictedAlong: route)
        let before = [missing("Author", "name", 2), missing("Book", "title")]
        let fine = [missing("Writer", "fullName", 2), missing("Book", "title")]
        #expect(migration.newFindings(fine, since: before) == [])
        let worse = [missing("Writer", "fullName", 3), missing("Book", "code")]
        #expect(migration.newFindings(worse, since: before) == worse)
        #expect(migration.newFindings(before, since: before) == [before[0]])
    }
}

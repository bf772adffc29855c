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
    private static func text(_ name: String, _ isOptional: Bool = false) -> Attribute {
        Attribute(name, .string, isOptional: isOptional)
    }

    private static let old = ManagedObjectModel([
        Entity("Author", [text("name"), text("pen", true)]),
        Entity("Book", [text("code"), text("title")]), Entity("Novel", parentEntity: "Book"),
    ])

    private static let wider: ManagedObjectModel = {
        var model = old
        model.entities[0].attributes.append(text("more", true))
        return model
    }()

    private static let new = ManagedObjectModel([
        Entity(
            "Writer",
            [
                Attribute("fullName", .string, isOptional: false, renamingIdentifier: "name"),
                text("pen", true),
            ],
            renamingIdentifier: "Author"
        ),
        Entity("Book", [text("code"), text("title")]), Entity("Novel", parentEntity: "Book"),
    ])

    private static let rows = [
        "INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT, ZNAME, ZPEN) VALUES (1, 1, 1, NULL, 'p'), (2, 1, 1, 'b', 'q')",
        "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZCODE, ZTITLE) VALUES (1, 2, 1, 'c', 't'), (2, 3, 1, 'd', 'u')",
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 2",
    ]

    /// Migrates a store whose author 1 lacks a name; returns the refusals of the stage.
    private func refused(
        _ work: CustomStageWork,
        to new: ManagedObjectModel = wider,
        damage: String = ""
    ) throws -> [String] {
        try withFolder { folder in
            let path = folder.appending(path: "Store.sqlite").path
            try createStore(at: path, model: Self.old) { connection, _ throws(StoreError) in
                for sql in Self.rows + [damage] { try connection.execute(sql) }
            }
            let migration = try StageModels.migration(
                of: StoreFile(path: path),
                from: Self.old,
                to: new,
                by: work
            )
            do throws(StoreMigrationError) {
                try migration.runInPlace(path: path, options: .agreed)
            } catch {
                guard case .stageFindings(_, let findings) = error else { throw error }
                return findings.map { "\($0.entity ?? "").\($0.property ?? ""): \($0.count)" }
            }
            return []
        }
    }

    private func refused(
        _ map: String,
        to new: ManagedObjectModel = wider,
        damage: String = ""
    ) throws -> [String] {
        let map = readStageMap(map, path: "map.yml")
        #expect(map.diagnostics == [])
        return try refused(CustomStageWork(map: map.value), to: new, damage: damage)
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
        let work = CustomStageWork(willMigrate: .script(script, path: "s.sql"))
        #expect(try refused(work) == expected, "\(script)")
    }

    private static let shelved: ManagedObjectModel = {
        func item(_ name: String, _ inverse: String) -> Entity {
            var shelf = StageModels.link("shelf", "Shelf", inverse)
            shelf.isOptional = false
            return Entity(name, [text("title", true)], relationships: [shelf])
        }
        let items = [("Book", "books"), ("Map", "maps")]
        let links = items.map { StageModels.link($1, $0, "shelf", isToMany: true) }
        let shelf = Entity("Shelf", [text("name", true)], relationships: links)
        return ManagedObjectModel(items.map(item) + [shelf])
    }()

    @Test(arguments: [(true, ["Map.shelf"]), (false, [])])
    func `a map that mends one fault may not break something else`(
        _ breaks: Bool,
        _ expected: [String]
    ) throws {
        let find = "{find: {entity: Shelf, key: name, equals: $source.title}}"
        let maps = (breaks ? ["Book", "Map"] : ["Book"]).map {
            "{from: \($0), to: \($0), set: {shelf: \(find)}}"
        }
        let text = "entities: [\(maps.joined(separator: ", "))]"
        let map = readStageMap(text, path: "map.yml")
        try withFolder { folder in
            let path = folder.appending(path: "Store.sqlite").path
            try createStore(at: path, model: Self.shelved) { connection, _ throws(StoreError) in
                for sql in [
                    "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 1, 1, 's')",
                    "INSERT INTO ZMAP (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZSHELF) VALUES (1, 2, 1, 't', 1)",
                    "INSERT INTO ZSHELF (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 3, 1, 's')",
                    "UPDATE Z_PRIMARYKEY SET Z_MAX = 1",
                ] { try connection.execute(sql) }
            }
            var new = Self.shelved
            new.entities[2].attributes.append(Self.text("more", true))
            let store = try StoreFile(path: path)
            let old = Self.shelved
            let migration = try StageModels.migration(of: store, from: old, to: new, by: map.value)
            var refused: [String] = []
            do throws(StoreMigrationError) {
                try migration.runInPlace(path: path, options: .agreed)
            } catch {
                guard case .stageFindings(_, let findings) = error else { throw error }
                refused = findings.map { "\($0.entity ?? "").\($0.property ?? "")" }
            }
            #expect(refused == expected)
        }
    }

    @Test func `damage that a map copies under another name is no worse`() throws {
        let map = "{from: Author, to: Writer, set: {pen: {constant: x}}}"
        #expect(try refused("entities: [\(map)]", to: Self.new) == [])
        let twice = "{from: Author, to: Writer, set: {fullName: $source.name, pen: {constant: y}}}"
        #expect(try refused("entities: [\(map), \(twice)]", to: Self.new) == [])
        let damage = "UPDATE ZBOOK SET ZTITLE = NULL WHERE Z_PK = 2"
        let other = "{from: Novel, to: Novel, set: {code: {constant: x}}}"
        #expect(try refused("entities: [\(other)]", to: Self.new, damage: damage) == [])
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

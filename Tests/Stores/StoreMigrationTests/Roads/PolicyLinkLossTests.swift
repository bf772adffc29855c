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

/// Follows the mapping, and reads links of the source objects.
private struct Reading: EntityMigrationPolicy {
    var read: @Sendable (StoreObject, StoreContext) throws -> Void

    func createDestinationInstances(
        forSource source: StoreObject,
        in mapping: StageMap.EntityMap,
        manager: MigrationManager
    ) throws {
        try read(source, manager.sourceContext)
        try manager.createDestinationInstance(forSource: source.id, in: mapping)
    }
}

struct PolicyLinkLossTests {
    private static func model(_ attributes: String...) -> ManagedObjectModel {
        ManagedObjectModel([
            Entity(
                "Book",
                (["title"] + attributes).map(StageModels.text),
                relationships: [StageModels.link("authors", "Author", "books", isToMany: true)]
            ),
            Entity(
                "Author",
                [StageModels.text("name")],
                relationships: [
                    StageModels.link("books", "Book", "authors", isToMany: true),
                    StageModels.link("readers", "Reader", "favourite", isToMany: true),
                ]
            ),
            Entity(
                "Reader",
                [StageModels.text("name")],
                relationships: [StageModels.link("favourite", "Author", "readers")]
            ),
        ])
    }

    private func makeStore(of old: ManagedObjectModel, at path: String) throws {
        try createStore(at: path, model: old) { connection, layout throws(StoreError) in
            guard
                case .joinTable(let join, let source, let end, _)? =
                    layout.storage(of: "authors", declaredBy: "Book")
            else { return }
            let numbers = ["Book", "Author", "Reader"].map { layout.number(of: $0) ?? 0 }
            for statement in [
                "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, \(numbers[0]), 1, 'b')",
                "INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, \(numbers[1]), 1, 'a')",
                "INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (2, \(numbers[1]), 1, 'c')",
                "INSERT INTO ZREADER (Z_PK, Z_ENT, Z_OPT, ZNAME, ZFAVOURITE) "
                    + "VALUES (1, \(numbers[2]), 1, 'r', 2)",
                "INSERT INTO \(join) (\(source), \(end)) VALUES (1, 1), (1, 2)",
                "UPDATE Z_PRIMARYKEY SET Z_MAX = 2",
            ] { try connection.execute(statement) }
        }
    }

    /// The refusals of a migration in which a policy makes the books.
    private func losses(by map: String, _ policy: some EntityMigrationPolicy) throws -> [String] {
        var losses: [String] = []
        try withFolder { folder in
            let path = folder.appending(path: "Store.sqlite").path
            try makeStore(of: Self.model(), at: path)
            var map = readStageMap("{entities: [\(map)]}", path: "map.yml").value
            map.entities[0].policyName = "App.Policy"
            let migration = try StageModels.migration(
                of: StoreFile(path: path),
                from: Self.model(),
                to: Self.model("more"),
                by: map,
                policies: MigrationPolicies(["App.Policy": policy])
            )
            do throws(StoreMigrationError) {
                try migration.runInPlace(path: path)
            } catch {
                guard case .rows(let findings) = error else { throw error }
                losses = findings.map { String($0.description.prefix { $0 != "(" }) }
                try migration.runInPlace(path: path, options: .agreed)
            }
            let store = try StoreFile(path: path)
            #expect(try verify(store, against: Self.model("more")).map(\.description) == [])
        }
        return losses
    }

    private static let coded =
        "{from: Book, to: Book, copyRest: false, set: {title: $source.title}}"
    private static let bare =
        "{from: Author, to: Author, copyRest: false, set: {name: $source.name}}"

    @Test func `links of objects that code takes are lost unless it reads them`() throws {
        let both = "\(Self.coded), \(Self.bare)"
        #expect(try losses(by: both, Reading { _, _ in }) == ["Author.books: 2 links at stake "])
        let ways: [@Sendable (StoreObject, StoreContext) throws -> Void] = [
            { book, store in _ = try store.destinations("Book", "authors", of: book.id) },
            { _, store in _ = try store.destinations("Author", "books", of: 1) },
            { _, store in _ = try store.rows("SELECT * FROM Book") },
        ]
        for read in ways { #expect(try losses(by: both, Reading(read: read)) == []) }
        #expect(try losses(by: Self.coded, Reading { _, _ in }) == [])
    }

    @Test func `links of other entities are lost whatever code does`() throws {
        let reader = "{from: Reader, to: Reader, copyRest: false, set: {name: $source.name}}"
        let both = "\(Self.coded), \(Self.bare), \(reader)"
        let read = Reading { book, store in
            _ = try store.destinations("Book", "authors", of: book.id)
        }
        #expect(try losses(by: both, read) == ["Reader.favourite: 1 link at stake "])
    }
}

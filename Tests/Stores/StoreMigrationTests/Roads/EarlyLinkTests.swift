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

/// Links books with authors while objects are made, as apps do that add to a relationship there.
private struct EarlyLinks: EntityMigrationPolicy {
    var isReversed = false
    var isAtEnd = false
    var authors: [String: [Int64]]

    private func link(_ manager: MigrationManager) throws {
        let store = manager.destinationContext
        for book in try store.objects("Book") {
            let wanted = authors[try book.value("title").text ?? ""] ?? []
            for author in wanted {
                guard !isReversed else {
                    try store.link("Author", "books", from: author, to: book.id)
                    continue
                }
                try store.link("Book", "authors", from: book.id, to: author)
            }
            #expect(try store.destinations("Book", "authors", of: book.id).count == wanted.count)
        }
    }

    func createDestinationInstances(
        forSource source: StoreObject,
        in mapping: StageMap.EntityMap,
        manager: MigrationManager
    ) throws {
        try manager.createDestinationInstance(forSource: source.id, in: mapping)
        if !isAtEnd { try link(manager) }
    }

    func endInstanceCreation(
        forMapping mapping: StageMap.EntityMap,
        manager: MigrationManager
    ) throws {
        if isAtEnd { try link(manager) }
    }
}

struct EarlyLinkTests {
    private static func model(isOrdered: Bool?, _ attributes: String...) -> ManagedObjectModel {
        var book = Entity("Book", ["title"].map(StageModels.text))
        var author = Entity("Author", ["name"].map(StageModels.text))
        book.attributes += attributes.map(StageModels.text)
        if let isOrdered {
            book.relationships = [
                StageModels.link("authors", "Author", "books", isToMany: true, isOrdered: isOrdered)
            ]
            author.relationships = [StageModels.link("books", "Book", "authors", isToMany: true)]
        }
        return ManagedObjectModel([book, author])
    }

    private func makeStore(of old: ManagedObjectModel, at path: String) throws {
        try createStore(at: path, model: old) { connection, layout throws(StoreError) in
            func insert(_ entity: String, _ column: String, _ values: [String]) throws(StoreError) {
                let number = layout.number(of: entity) ?? 0
                let table = layout.table(of: entity)?.name ?? ""
                for (index, value) in values.enumerated() {
                    try connection.execute(
                        "INSERT INTO \(table) (Z_PK, Z_ENT, Z_OPT, \(column)) "
                            + "VALUES (\(index + 1), \(number), 1, '\(value)')"
                    )
                }
                try connection.execute(
                    "UPDATE Z_PRIMARYKEY SET Z_MAX = \(values.count) WHERE Z_ENT = \(number)"
                )
            }
            try insert("Book", "ZTITLE", ["First", "Second"])
            try insert("Author", "ZNAME", ["Ada", "Bob", "Cid"])
            guard
                case .joinTable(let join, let source, let end, let order)? = layout.storage(
                    of: "authors",
                    declaredBy: "Book"
                )
            else { return }
            for (author, place) in [(2, 2048), (1, 3072)] {
                let (column, cell) = order.map { (", \($0)", ", \(place)") } ?? ("", "")
                try connection.execute(
                    "INSERT INTO \(join) (\(source), \(end)\(column)) VALUES (1, \(author)\(cell))"
                )
            }
        }
    }

    /// Migrates two books and three authors, of which those of the first book may be linked already; returns the links.
    private func links(
        from old: ManagedObjectModel,
        to new: ManagedObjectModel,
        by policy: EarlyLinks,
        in folder: String
    ) throws -> [[SQLiteValue]] {
        let path = folder + "/Store.sqlite"
        try makeStore(of: old, at: path)
        var map = readStageMap(
            "{entities: [{from: Book, to: Book}], copyRest: true}",
            path: "map.yml"
        ).value
        map.entities[0].policyName = "App.Policy"
        let migration = try StageModels.migration(
            of: StoreFile(path: path),
            from: old,
            to: new,
            by: map,
            policies: MigrationPolicies(["App.Policy": policy])
        )
        try migration.runInPlace(path: path, options: .agreed)
        let store = try StoreFile(path: path)
        #expect(try verify(store, against: new).map(\.description) == [])
        guard
            case .joinTable(let join, let source, let end, let order)? = StoreLayout(model: new)
                .storage(of: "authors", declaredBy: "Book")
        else { return [] }
        if let order {
            let shared = "SELECT 1 FROM \(join) GROUP BY \(source), \(order) HAVING count(*) > 1"
            #expect(try store.connection.rows(shared) == [])
        }
        return try store.connection.rows(
            "SELECT b.ZTITLE, a.ZNAME FROM \(join) AS j JOIN ZBOOK AS b ON b.Z_PK = j.\(source) "
                + "JOIN ZAUTHOR AS a ON a.Z_PK = j.\(end) ORDER BY 1, \(order.map { "j.\($0)" } ?? "2")"
        )
    }

    private func rows(_ first: String..., second: String...) -> [[SQLiteValue]] {
        first.map { [.text("First"), .text($0)] } + second.map { [.text("Second"), .text($0)] }
    }

    @Test(arguments: [false, true], [(false, false), (true, false), (false, true), (true, true)])
    func `links of a new relationship may be made with the objects`(
        isOrdered: Bool,
        hook: (isReversed: Bool, isAtEnd: Bool)
    ) throws {
        try withFolder { folder in
            let links = try links(
                from: Self.model(isOrdered: nil),
                to: Self.model(isOrdered: isOrdered),
                by: EarlyLinks(
                    isReversed: hook.isReversed,
                    isAtEnd: hook.isAtEnd,
                    authors: ["First": [3, 1], "Second": [2]]
                ),
                in: folder.path
            )
            let expected =
                isOrdered
                ? rows("Cid", "Ada", second: "Bob") : rows("Ada", "Cid", second: "Bob")
            #expect(links == expected)
        }
    }

    @Test(arguments: [false, true], [false, true])
    func `links made with the objects are neither lost nor doubled by those of the mapping`(
        isOrdered: Bool,
        isReversed: Bool
    ) throws {
        try withFolder { folder in
            let links = try links(
                from: Self.model(isOrdered: isOrdered),
                to: Self.model(isOrdered: isOrdered, "isbn"),
                by: EarlyLinks(isReversed: isReversed, authors: ["First": [3, 1], "Second": [2]]),
                in: folder.path
            )
            let expected =
                isOrdered
                ? rows("Cid", "Ada", "Bob", second: "Bob")
                : rows("Ada", "Bob", "Cid", second: "Bob")
            #expect(links == expected)
        }
    }
}

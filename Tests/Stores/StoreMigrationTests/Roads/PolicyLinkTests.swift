import Diagnostics
import Foundation
import MigrationPlanning
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

/// Links books with authors while objects are made, as apps do that add to a relationship there.
private struct EarlyLinks: EntityMigrationPolicy {
    var isReversed = false
    var isAtEnd = false
    let authors: [String: [Int64]] = ["First": [3, 1], "Second": [2]]

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
    private static func model(isOrdered: Bool?, _ more: String = "") -> ManagedObjectModel {
        guard let isOrdered else { return modelOf("Book: title", "Author: name") }
        let arrow = isOrdered ? ">>>" : ">>"
        return modelOf(
            "Book: title \(more) authors\(arrow)Author.books; Author: name books>>Book.authors"
        )
    }

    /// The join table with its columns for books, authors and their order.
    private func join(_ model: ManagedObjectModel) -> (String, String, String, order: String?)? {
        StoreLayout(model: model).links("authors", of: "Book", as: .join)
            .map { ($0.table, $0.source, $0.destination, $0.orderKey) }
    }

    /// Two books and three authors, of which those of the first book may be linked already.
    private func rows(of old: ManagedObjectModel) -> [String] {
        let objects =
            inserts("Book", "ZTITLE", "'First'", "'Second'")
            + inserts("Author", "ZNAME", "'Ada'", "'Bob'", "'Cid'")
        guard let (join, source, end, order) = join(old) else { return objects }
        return objects
            + [(2, 2048), (1, 3072)].map { author, place in
                let (column, cell) = order.map { (", \($0)", ", \(place)") } ?? ("", "")
                return
                    "INSERT INTO \(join) (\(source), \(end)\(column)) VALUES (1, \(author)\(cell))"
            }
    }

    /// Migrates the books by a policy; returns the links.
    private func links(
        from old: ManagedObjectModel,
        to new: ManagedObjectModel,
        by policy: EarlyLinks
    ) throws -> [String] {
        try withStore(old, rows(of: old)) { store in
            let text = "{entities: [{from: Book, to: Book}], copyRest: true}"
            let policies = MigrationPolicies(["App.Policy": policy])
            try store.migrate(to: new, by: .mapped(text, policy: "App.Policy"), policies)
            #expect(try store.findings(new).map(\.description) == [])
            guard let (join, source, end, order) = join(new) else { return [] }
            if let order {
                let shared = "SELECT 1 FROM \(join) GROUP BY \(source), \(order)"
                #expect(try store.rows("\(shared) HAVING count(*) > 1") == [])
            }
            return try store.texts(
                "SELECT b.ZTITLE, a.ZNAME FROM \(join) AS j JOIN ZBOOK AS b ON b.Z_PK = j.\(source) "
                    + "JOIN ZAUTHOR AS a ON a.Z_PK = j.\(end) ORDER BY 1, \(order.map { "j.\($0)" } ?? "2")"
            )
        }
    }

    @Test(arguments: [false, true], [(false, false), (true, false), (false, true), (true, true)])
    func `links of a new relationship may be made with the objects`(
        isOrdered: Bool,
        hook: (isReversed: Bool, isAtEnd: Bool)
    ) throws {
        let policy = EarlyLinks(isReversed: hook.isReversed, isAtEnd: hook.isAtEnd)
        let (old, new) = (Self.model(isOrdered: nil), Self.model(isOrdered: isOrdered))
        let first = isOrdered ? ["First|Cid", "First|Ada"] : ["First|Ada", "First|Cid"]
        #expect(try links(from: old, to: new, by: policy) == first + ["Second|Bob"])
    }

    @Test(arguments: [false, true], [false, true])
    func `links made with the objects are neither lost nor doubled by those of the mapping`(
        isOrdered: Bool,
        isReversed: Bool
    ) throws {
        let (old, new) = (
            Self.model(isOrdered: isOrdered), Self.model(isOrdered: isOrdered, "isbn")
        )
        let first =
            isOrdered
            ? ["First|Cid", "First|Ada", "First|Bob"] : ["First|Ada", "First|Bob", "First|Cid"]
        let links = try links(from: old, to: new, by: EarlyLinks(isReversed: isReversed))
        #expect(links == first + ["Second|Bob"])
    }
}

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
    private static func model(_ more: String = "") -> ManagedObjectModel {
        modelOf(
            "Book: title \(more) authors>>Author.books",
            "Author: name books>>Book.authors readers>>Reader.favourite",
            "Reader: name favourite>Author.readers"
        )
    }

    private static let rows =
        inserts("Book", "ZTITLE", "'b'") + inserts("Author", "ZNAME", "'a'", "'c'")
        + inserts("Reader", "ZNAME, ZFAVOURITE", "'r', 2")

    private static let links: String = {
        guard let links = StoreLayout(model: model()).links("authors", of: "Book") else {
            return ""
        }
        return "INSERT INTO \(links.table) (\(links.source), \(links.destination)) "
            + "VALUES (1, 1), (1, 2)"
    }()

    /// The refusals of a migration in which a policy makes the books.
    private func losses(by map: String, _ policy: some EntityMigrationPolicy) throws -> [String] {
        try withStore(Self.model(), Self.rows + [Self.links]) { store in
            let new = Self.model("more")
            let work = CustomStageWork.mapped("{entities: [\(map)]}", policy: "App.Policy")
            let policies = MigrationPolicies(["App.Policy": policy])
            let migration = try store.migration(to: new, by: work, policies)
            var losses: [String] = []
            do throws(StoreMigrationError) {
                try migration.runInPlace(path: store.path)
            } catch {
                guard case .rows(let findings) = error else { throw error }
                losses = findings.map { String($0.description.prefix { $0 != "(" }) }
                try migration.runInPlace(path: store.path, options: .agreed)
            }
            #expect(try store.findings(new).map(\.description) == [])
            return losses
        }
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

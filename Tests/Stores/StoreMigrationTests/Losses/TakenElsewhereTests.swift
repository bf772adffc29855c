import Foundation
import MigrationPlanning
import ObjectModel
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

@testable import StoreMigration

/// What expressions take of other objects: the values that they do not reach are lost.
struct TakenElsewhereTests {
    private static let authors = "Author: code books>>Book.author"
    private static let books = "Book: number:integer64 author>Author.books"
    private static let old = modelOf(authors + " name", books + " title")
    private static let new = modelOf(authors + " label", books + " label")
    private static let rows =
        inserts("Author", "ZCODE, ZNAME", "'a', 'A x'", "'b', 'B'", "'c', 'C'", "'d', NULL")
        + inserts("Book", "ZNUMBER, ZTITLE, ZAUTHOR", "1, 't', 1", "2, 's', 1", "3, 'u', 3")
        + ["INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (4, 2, 1, 'v')"]

    private static let namesWithoutBooks =
        "SELECT count(ZNAME) FROM ZAUTHOR WHERE Z_PK NOT IN (SELECT ZAUTHOR FROM ZBOOK WHERE ZAUTHOR NOT NULL)"
    private static func titles(_ condition: String) -> String {
        "SELECT count(ZTITLE) FROM ZBOOK AS b WHERE (\(condition)) IS NOT 1"
    }

    private static let first = titles(
        "Z_PK = (SELECT min(Z_PK) FROM ZBOOK WHERE ZAUTHOR = b.ZAUTHOR)"
    )
    private static let allNames = "SELECT count(ZNAME) FROM ZAUTHOR"
    private static let allTitles = titles("0")

    /// The expression for Book, that for Author, and the names and titles that neither takes.
    private static let cases: [(book: String?, author: String?, names: String, titles: String)] = [
        (nil, nil, allNames, allTitles),
        ("$source.author.name", nil, namesWithoutBooks, allTitles),
        (
            "{coalesce: [$source.title, $source.author.name]}", nil,
            "SELECT count(ZNAME) FROM ZAUTHOR", "SELECT 0"
        ),
        (
            "{split: [$source.author.name, ' ', 0]}", nil,
            "SELECT count(ZNAME) FROM ZAUTHOR WHERE ZNAME LIKE '% %' OR Z_PK NOT IN (SELECT ZAUTHOR FROM ZBOOK WHERE ZAUTHOR NOT NULL)",
            allTitles
        ),
        (nil, "{first: $source.books.title}", allNames, first),
        (
            nil, "{last: $source.books.title}", allNames,
            titles("Z_PK = (SELECT max(Z_PK) FROM ZBOOK WHERE ZAUTHOR = b.ZAUTHOR)")
        ),
        (nil, "{cast: [$source.books.@count, string]}", allNames, allTitles),
        (
            nil, "$source.books.@max.title", allNames,
            titles("ZTITLE = (SELECT max(ZTITLE) FROM ZBOOK WHERE ZAUTHOR = b.ZAUTHOR)")
        ),
        (nil, "{join: [', ', $source.books.title]}", allNames, titles("ZAUTHOR NOT NULL")),
        (
            nil, "{lookup: {entity: Book, key: number, equals: 2, value: title}}", allNames,
            titles("ZNUMBER = 2")
        ),
        (
            nil, "{lookup: {entity: Book, key: number, equals: 2, value: author.name}}",
            "SELECT count(ZNAME) FROM ZAUTHOR WHERE Z_PK <> 1", allTitles
        ),
        (
            "$source.author.name", "{first: $source.books.title}", namesWithoutBooks, first
        ),
    ]

    @Test(arguments: cases.indices)
    func `values of other objects are lost where no expression reaches them`(index: Int) throws {
        let example = Self.cases[index]
        let entities = [("Book", example.book), ("Author", example.author)].compactMap {
            name,
            value in
            value.map { "{from: \(name), to: \(name), set: {label: \($0)}}" }
        }
        let map = "entities: [\(entities.joined(separator: ", "))]"
        try MapRun.with(map, from: Self.old, to: Self.new, rows: Self.rows) { run in
            let told = try run.migration.findings(in: run.store.file())
            for (name, query) in [("Author.name", example.names), ("Book.title", example.titles)] {
                let count = try run.store.value(query)?.integer ?? -1
                let found = told.filter { $0.name == name }.map(\.count).reduce(0, +)
                #expect(found == count, "\(name) by \(map)")
            }
            _ = try run.result()
        }
    }
}

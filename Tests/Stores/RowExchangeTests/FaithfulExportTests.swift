import Diagnostics
import Foundation
import ObjectModel
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

@testable import RowExchange

struct FaithfulExportTests {
    private let model = ManagedObjectModel(
        entities: [
            Entity(
                name: "Book",
                attributes: [
                    Attribute(
                        name: "count",
                        type: .integer64,
                        isOptional: false,
                        defaultValue: .integer(7)
                    ),
                    Attribute(name: "title", type: .string, isOptional: true),
                ],
                relationships: [
                    Relationship(
                        name: "owner",
                        isOptional: true,
                        maxCount: 1,
                        destinationEntity: "Person"
                    )
                ]
            ),
            Entity(name: "Person"),
        ]
    )

    private func store(in folder: URL) throws -> StoreFile {
        let path = folder.appending(path: "A.sqlite").path
        let rows = "{\"Book\": [{\"@id\": \"p1\", \"count\": 3}]}"
        _ = try createStore(
            at: path,
            model: model,
            rows: RowSource(bytes: Array(rows.utf8), path: "rows")
        )
        try SQLiteConnection(path: path, mode: .readWrite)
            .execute("UPDATE ZBOOK SET ZCOUNT = NULL, ZOWNER = 9")
        return try StoreFile(path: path)
    }

    @Test func `a required value that is not there comes back as null, not as its default`() throws
    {
        try withFolder { folder in
            let bytes = try exportedRows(of: store(in: folder), model: model)
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.contains("\"count\": null"), "\(text)")
            let copy = folder.appending(path: "B.sqlite").path
            let rows = text.replacing(", \"owner\": \"Person/p9\"", with: "")
            _ = try createStore(
                at: copy,
                model: model,
                rows: RowSource(bytes: Array(rows.utf8), path: "rows")
            )
            let value = try SQLiteConnection(path: copy, mode: .readWrite)
                .value("SELECT ZCOUNT IS NULL FROM ZBOOK")
            #expect(value?.integer == 1)
        }
    }

    @Test func `a link to a row that is not there is a warning`() throws {
        try withFolder { folder in
            let store = try store(in: folder)
            let result = try exportRows(of: store, model: model) { _ in }
            #expect(result.diagnostics.map(\.element) == ["Book.owner"])
            #expect(result.diagnostics.first?.message.contains("p1") == true)
        }
    }

    @Test func `a link of a join table to a row that is not there is a warning`() throws {
        func link(_ name: String, _ destination: String, _ inverse: String) -> Relationship {
            Relationship(
                name: name,
                isToMany: true,
                destinationEntity: destination,
                inverseName: inverse,
                inverseEntity: destination
            )
        }
        let model = ManagedObjectModel(entities: [
            Entity(name: "Book", relationships: [link("tags", "Tag", "books")]),
            Entity(name: "Tag", relationships: [link("books", "Book", "tags")]),
        ])
        let join = try #require(StoreLayout(model: model).joinTables.first)
        let column = join.first.entity == "Tag" ? join.first.name : join.second.name
        try withFolder { folder in
            let path = folder.appending(path: "A.sqlite").path
            let rows =
                "{\"Book\": [{\"@id\": \"p1\", \"tags\": [\"Tag/p1\", \"Tag/p2\"]}], "
                + "\"Tag\": [{\"@id\": \"p1\"}, {\"@id\": \"p2\"}]}"
            let source = RowSource(bytes: Array(rows.utf8), path: "rows")
            _ = try createStore(at: path, model: model, rows: source)
            let sound = try exportRows(of: StoreFile(path: path), model: model) { _ in }
            #expect(sound.diagnostics.isEmpty)
            try SQLiteConnection(path: path, mode: .readWrite)
                .execute("UPDATE \(join.name) SET \(column) = 77 WHERE \(column) = 2")
            let result = try exportRows(of: StoreFile(path: path), model: model) { _ in }
            #expect(result.diagnostics.map(\.element) == ["Book.tags"])
            #expect(result.diagnostics.first?.message.contains("1 row") == true)
        }
    }
}

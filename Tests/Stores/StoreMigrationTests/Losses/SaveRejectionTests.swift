import Diagnostics
import Foundation
import ObjectModel
import StoreFormat
import SQLiteAccess
import TestSupport
import Testing

@testable import StoreMigration

struct SaveRejectionTests {
    private static func model(
        _ validation: Attribute.Validation,
        _ type: AttributeType = .integer16,
        fallback: AttributeValue? = nil,
        leastBooks: Int? = nil
    ) -> ManagedObjectModel {
        ManagedObjectModel(entities: [
            Entity(
                name: "Author",
                attributes: [
                    Attribute(name: "age", type: type, validation: validation),
                    Attribute(
                        name: "rank",
                        type: .integer16,
                        isOptional: fallback == nil,
                        defaultValue: fallback,
                        validation: fallback == nil ? .init() : validation
                    ),
                ],
                relationships: [
                    Relationship(
                        name: "books",
                        isOptional: leastBooks == nil,
                        isToMany: true,
                        minCount: leastBooks,
                        destinationEntity: "Book",
                        inverseName: "author"
                    )
                ]
            ),
            Entity(name: "Guest", parentEntity: "Author"),
            Entity(
                name: "Book",
                relationships: [
                    Relationship(
                        name: "author",
                        maxCount: 1,
                        destinationEntity: "Author",
                        inverseName: "books"
                    )
                ]
            ),
        ])
    }

    private static let old = model(.init())

    private func rejections(
        by new: ManagedObjectModel
    ) throws -> (foretold: [Diagnostic], found: [Diagnostic]) {
        try withFolder { folder in
            let path = folder.appending(path: "old.sqlite").path
            try createStore(at: path, model: Self.old) { connection, _ throws(StoreError) in
                for sql in [
                    "INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT, ZAGE, ZRANK) VALUES (1, 1, 1, 5, 9), "
                        + "(2, 1, 1, 50, NULL), (3, 2, 1, 500, 1), (4, 2, 1, NULL, 2)",
                    "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZAUTHOR) VALUES (1, 3, 1, 1), "
                        + "(2, 3, 1, 1), (3, 3, 1, 3)",
                    "UPDATE Z_PRIMARYKEY SET Z_MAX = 4",
                ] { try connection.execute(sql) }
            }
            let store = try StoreFile(path: path)
            let migration = try Migration(
                of: store,
                from: ModelVersion(name: "1", model: Self.old),
                to: ModelVersion(name: "2", model: new)
            )
            func sorted(_ findings: [Diagnostic]) -> [Diagnostic] {
                findings.sorted { ($0.property ?? "") < ($1.property ?? "") }
            }
            let foretold = sorted(try migration.rejections(in: store))
            let result = folder.appending(path: "new.sqlite").path
            _ = try migration.run(from: store, toNewFile: result)
            return (foretold, sorted(try validate(StoreFile(path: result), against: new)))
        }
    }

    @Test func `values are judged as they will be, converted and filled`() throws {
        let limits = Attribute.Validation(minimum: .integer(2), maximum: .integer(100))
        let (foretold, found) = try rejections(by: Self.model(limits, fallback: .integer(1)))
        #expect(foretold == found)
        #expect(foretold.map(\.keys) == [[3], [2, 3]], "\(foretold)")
        let numbers = Attribute.Validation(minimum: .double(5.5))
        let (told, seen) = try rejections(by: Self.model(numbers, .double))
        #expect(told == seen)
        #expect(told.map(\.keys) == [[1]], "\(told)")
    }

    @Test func `objects with too few links are counted`() throws {
        let (foretold, _) = try rejections(by: Self.model(.init(), leastBooks: 2))
        #expect(foretold.map(\.property) == ["books"])
        #expect(foretold.map(\.keys) == [[2, 3, 4]])
    }
}

import Foundation
import ObjectModel
import TestSupport

extension ManagedObjectModel {
    static let library = ManagedObjectModel([
        Entity(
            "Author",
            [
                Attribute("name", .string, isOptional: false), Attribute("age", .integer16),
                Attribute(
                    "bookCount",
                    .integer64,
                    derivation: Attribute.Derivation(expression: "books.@count")
                ),
            ],
            relationships: [
                .many("books", "Book", "author", isOrdered: true, deleteRule: .cascade),
                .one("favorite", "Book"),
            ],
            uniquenessConstraints: [UniquenessConstraint(properties: ["name"])]
        ),
        Entity(
            "Book",
            [
                Attribute("title", .string),
                Attribute(name: "cover", type: .binary, allowsExternalBinaryDataStorage: true),
                Attribute(
                    "authorName",
                    .string,
                    derivation: Attribute.Derivation(expression: "author.name")
                ),
            ],
            relationships: [
                .one("author", "Author", "books", isOptional: false), .many("tags", "Tag", "books"),
            ]
        ),
        Entity("Novel", parentEntity: "Book", [Attribute("genre", .string)]),
        Entity(
            "Tag",
            [Attribute("label", .string)],
            relationships: [.many("books", "Book", "tags", isOrdered: true)]
        ),
    ])
}

func withTemporaryFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("store-format-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path)
}

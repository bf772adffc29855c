import Foundation
import ObjectModel

extension ManagedObjectModel {
    static let library = ManagedObjectModel(entities: [
        Entity(
            name: "Author",
            attributes: [
                Attribute(name: "name", type: .string, isOptional: false),
                Attribute(name: "age", type: .integer16),
                Attribute(
                    name: "bookCount",
                    type: .integer64,
                    derivation: Attribute.Derivation(expression: "books.@count")
                ),
            ],
            relationships: [
                Relationship(
                    name: "books",
                    isToMany: true,
                    isOrdered: true,
                    deleteRule: .cascade,
                    destinationEntity: "Book",
                    inverseName: "author",
                    inverseEntity: "Book"
                ),
                Relationship(name: "favorite", maxCount: 1, destinationEntity: "Book"),
            ],
            uniquenessConstraints: [UniquenessConstraint(properties: ["name"])]
        ),
        Entity(
            name: "Book",
            attributes: [
                Attribute(name: "title", type: .string),
                Attribute(name: "cover", type: .binary, allowsExternalBinaryDataStorage: true),
                Attribute(
                    name: "authorName",
                    type: .string,
                    derivation: Attribute.Derivation(expression: "author.name")
                ),
            ],
            relationships: [
                Relationship(
                    name: "author",
                    isOptional: false,
                    maxCount: 1,
                    destinationEntity: "Author",
                    inverseName: "books",
                    inverseEntity: "Author"
                ),
                Relationship(
                    name: "tags",
                    isToMany: true,
                    destinationEntity: "Tag",
                    inverseName: "books",
                    inverseEntity: "Tag"
                ),
            ]
        ),
        Entity(
            name: "Novel",
            parentEntity: "Book",
            attributes: [Attribute(name: "genre", type: .string)]
        ),
        Entity(
            name: "Tag",
            attributes: [Attribute(name: "label", type: .string)],
            relationships: [
                Relationship(
                    name: "books",
                    isToMany: true,
                    isOrdered: true,
                    destinationEntity: "Book",
                    inverseName: "tags",
                    inverseEntity: "Book"
                )
            ]
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

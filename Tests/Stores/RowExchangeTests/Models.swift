import ObjectModel
import TestSupport

extension ManagedObjectModel {
    static let everything = ManagedObjectModel(
        [author, item, book, tag, place, house, twin],
        composites: [
            CompositeType("Size", [Attribute("width", .double), Attribute("height", .double)])
        ]
    )

    private static let author = Entity(
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
            to("Book", "books", inverse: "author", isToMany: true, isOrdered: true),
            to("House", "house", inverse: "owner"), to("Item", "favorite", inverse: nil),
            to("Author", "friends", inverse: "friends", isToMany: true),
            to("Item", "wishes", inverse: nil, isToMany: true, isOrdered: true),
        ],
        uniquenessConstraints: [UniquenessConstraint(properties: ["name"])]
    )

    private static let item = Entity("Item", isAbstract: true)

    private static let book = Entity(
        "Book",
        parentEntity: "Item",
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
            to("Author", "author", inverse: "books", isOptional: false),
            to("Tag", "tags", inverse: "books", isToMany: true),
        ]
    )

    private static let tag = Entity(
        "Tag",
        [Attribute("label", .string), Attribute("cache", .string, isTransient: true)],
        relationships: [to("Book", "books", inverse: "tags", isToMany: true, isOrdered: true)]
    )

    private static let place = Entity("Place", isAbstract: true, [Attribute("number", .integer64)])

    private static let house = Entity(
        "House",
        parentEntity: "Place",
        [
            Attribute("worth", .decimal), Attribute("built", .date), Attribute("code", .uuid),
            Attribute("page", .uri), Attribute("weight", .float), Attribute("sold", .boolean),
            Attribute("plan", .transformable), Attribute("area", .double),
            Attribute("size", .composite, compositeName: "Size"), Attribute("rooms", .integer32),
        ],
        relationships: [to("Author", "owner", inverse: "house")]
    )

    private static let twin = Entity(
        "Twin",
        relationships: [to("Twin", "other", inverse: "other", isOptional: false)]
    )

    static func to(
        _ destination: String,
        _ name: String,
        inverse: String?,
        isOptional: Bool = true,
        isToMany: Bool = false,
        isOrdered: Bool = false
    ) -> Relationship {
        Relationship(
            name: name,
            isOptional: isOptional,
            isToMany: isToMany,
            isOrdered: isOrdered,
            maxCount: isToMany ? nil : 1,
            destinationEntity: destination,
            inverseName: inverse,
            inverseEntity: inverse == nil ? nil : destination
        )
    }
}

extension RowImportTests {
    static let whole = """
        {
        "Author": [
        {"@id": "p1", "age": -7, "bookCount": 2, "books": ["Book/p3", "Book/p1"], \
        "favorite": "Book/p1", "friends": ["Author/p1", "Author/p2"], "house": "House/p1", \
        "name": "Ada \\"\\\\\\u0000\\u001f\\n€😀"},
        {"@id": "p2", "bookCount": 0, "friends": ["Author/p1"], "name": "Bob", \
        "wishes": ["Book/p3", "Book/p1"]}
        ],
        "Book": [
        {"@id": "p1", "author": "Author/p1", "authorName": null, "cover": "AP8=", "tags": ["Tag/p1"]},
        {"@id": "p3", "author": "Author/p1", "authorName": "Ada", "tags": ["Tag/p1", "Tag/p2"]}
        ],
        "House": [
        {"@id": "p1", "area": 0.1, "built": "2000-12-31T23:59:59.999999Z", \
        "code": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "number": "9223372036854775807", \
        "owner": "Author/p1", "page": "https://example.com/a?b=c", "plan": "YnBsaXN0", "rooms": 2147483647, \
        "size": {"height": 5e-324, "width": 1.7976931348623157e+308}, "sold": true, "weight": 0.1, \
        "worth": "10.11"},
        {"@id": "p2", "area": "Infinity", "built": "2024-02-29T12:30:00.25Z", \
        "number": -9007199254740992, "size": {"width": 2.0}, "sold": false, "weight": "0.1", \
        "worth": "9223372036854775807"},
        {"@id": "p3", "area": -0.5, "built": 1e+300, "number": "-9007199254740993"},
        {"@id": "p4", "built": "0001-01-01T00:00:00Z"},
        {"@id": "p5", "built": "2001-01-01T00:00:00.00000000000000000000000000005Z"}
        ],
        "Tag": [
        {"@id": "p1", "books": ["Book/p3", "Book/p1"], "label": ""},
        {"@id": "p2", "books": ["Book/p3"]}
        ]
        }

        """
}

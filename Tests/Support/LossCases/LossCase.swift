package import ObjectModel
import TestSupport

/// A change of a model that loses or alters something, with a count that is independent of the engine.
package struct LossCase: Sendable, CustomStringConvertible {
    package var title: String
    package var from: ManagedObjectModel
    package var to: ManagedObjectModel
    package var rows: [String]
    /// What is lost, by name: a query over the old store.
    package var lost: [String: String]
    /// What forbids the change, whatever is agreed to, by name: a query over the old store.
    package var against: [String: String]
    /// Further output of each command.
    package var said: [String]

    init(
        _ title: String,
        rows: [String] = LossCase.library,
        _ lost: [String: String] = [:],
        against: [String: String] = [:],
        said: [String] = [],
        from prepare: (inout ManagedObjectModel) -> Void = { _ in },
        _ edit: (inout ManagedObjectModel) -> Void
    ) {
        self.title = title
        from = LossCase.model
        prepare(&from)
        to = from
        edit(&to)
        func query(_ rest: String) -> String {
            rest.hasPrefix("SELECT") ? rest : "SELECT count(*) FROM \(rest)"
        }
        (self.rows, self.said) = (rows, said)
        (self.lost, self.against) = (lost.mapValues(query), against.mapValues(query))
    }

    package var description: String { title }

    package static let all: [LossCase] =
        valueCases + compositeCases + rowCases + linkCases + hierarchyCases + refusedCases
        + surroundingCases

    static func text(_ name: String) -> Attribute { Attribute(name, .string) }

    static func link(
        _ name: String,
        _ destination: String,
        _ inverse: String,
        many: Bool = false
    ) -> Relationship {
        Relationship(
            name: name,
            isToMany: many,
            maxCount: many ? nil : 1,
            destinationEntity: destination,
            inverseName: inverse,
            inverseEntity: destination
        )
    }

    /// Books with authors (one to many), tags (many to many), a cover (one to one) and a kind of book.
    package static let model = ManagedObjectModel([
        Entity(
            "Author",
            [text("name")],
            relationships: [link("books", "Book", "author", many: true)]
        ),
        Entity(
            "Book",
            [
                text("title"), text("notes"), Attribute("whole", .integer64),
                Attribute("real", .double),
            ],
            relationships: [
                link("author", "Author", "books"), link("cover", "Cover", "book"),
                link("tags", "Tag", "books", many: true),
            ]
        ),
        Entity("Cover", [text("color")], relationships: [link("book", "Book", "cover")]),
        Entity("Novel", parentEntity: "Book", [text("genre")]),
        Entity("Tag", [text("word")], relationships: [link("books", "Book", "tags", many: true)]),
    ])

    package static let library = [
        "INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'a'), (2, 1, 1, NULL), (3, 1, 1, 'c')",
        """
        INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZNOTES, ZWHOLE, ZREAL, ZGENRE, ZAUTHOR, ZCOVER) VALUES \
        (1, 2, 1, 't', 'n', 9007199254740993, 0.5, NULL, 1, 1), (2, 2, 1, 't', NULL, 70000, 0.1, NULL, 1, 2), \
        (3, 3, 1, 'u', 'n', -5, 1e300, 'g', 2, NULL), (4, 3, 1, NULL, 'n', NULL, NULL, NULL, NULL, 3)
        """,
        "INSERT INTO ZCOVER (Z_PK, Z_ENT, Z_OPT, ZCOLOR, ZBOOK, Z2_BOOK) VALUES (1, 4, 1, 'r', 1, 2), (2, 4, 1, 'g', 2, 2), (3, 4, 1, NULL, 4, 3)",
        "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZWORD) VALUES (1, 5, 1, 'x'), (2, 5, 1, 'y'), (3, 5, 1, NULL)",
        "INSERT INTO Z_2TAGS (Z_2BOOKS, Z_5TAGS) VALUES (1, 1), (1, 2), (2, 1), (3, 3), (4, 1)",
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 4 WHERE Z_SUPER = 0",
    ]

    static func edit(
        _ model: inout ManagedObjectModel,
        _ entity: String,
        _ body: (inout Entity) -> Void
    ) {
        guard let place = model.entities.firstIndex(where: { $0.name == entity }) else { return }
        body(&model.entities[place])
    }

    static func attribute(
        _ model: inout ManagedObjectModel,
        _ entity: String,
        _ name: String,
        _ body: (inout Attribute) -> Void
    ) {
        edit(&model, entity) { entity in
            for place in entity.attributes.indices where entity.attributes[place].name == name {
                body(&entity.attributes[place])
            }
        }
    }

    static func relationship(
        _ model: inout ManagedObjectModel,
        _ entity: String,
        _ name: String,
        _ body: (inout Relationship) -> Void
    ) {
        edit(&model, entity) { entity in
            for place in entity.relationships.indices where entity.relationships[place].name == name
            {
                body(&entity.relationships[place])
            }
        }
    }

    static func remove(_ names: [String], _ model: inout ManagedObjectModel) {
        for entity in model.entities.indices {
            model.entities[entity].attributes.removeAll { names.contains($0.name) }
            model.entities[entity].relationships.removeAll { names.contains($0.name) }
        }
    }

    static func drop(_ entity: String, _ model: inout ManagedObjectModel) {
        model.entities.removeAll { $0.name == entity }
        for place in model.entities.indices {
            model.entities[place].relationships.removeAll { $0.destinationEntity == entity }
        }
    }

    static func type(_ new: AttributeType, of name: String) -> (inout ManagedObjectModel) ->
        Void
    {
        { model in attribute(&model, "Book", name) { $0.type = new } }
    }

    package static let tagged = "SELECT count(*) FROM Z_2TAGS"
}

import ObjectModel

extension LossCase {
    static let valueCases: [LossCase] = [
        LossCase(
            "an attribute is removed",
            [
                "Book.notes": "ZBOOK WHERE Z_ENT = 2 AND ZNOTES NOT NULL",
                "Novel.notes": "ZBOOK WHERE Z_ENT = 3 AND ZNOTES NOT NULL",
            ]
        ) { remove(["notes"], &$0) },
        LossCase(
            "an attribute of a sub-entity is removed",
            ["Novel.genre": "ZBOOK WHERE ZGENRE NOT NULL"]
        ) { remove(["genre"], &$0) },
        LossCase(
            "two attributes are removed",
            [
                "Cover.color": "SELECT count(ZCOLOR) FROM ZCOVER",
                "Tag.word": "SELECT count(ZWORD) FROM ZTAG",
            ]
        ) { remove(["color", "word"], &$0) },
        LossCase(
            "an attribute is renamed without saying so",
            ["Author.name": "SELECT count(ZNAME) FROM ZAUTHOR"]
        ) { attribute(&$0, "Author", "name") { $0.name = "fullName" } },
        LossCase(
            "an attribute becomes transient",
            ["Author.name": "SELECT count(ZNAME) FROM ZAUTHOR"]
        ) { attribute(&$0, "Author", "name") { $0.isTransient = true } },
        LossCase(
            "an attribute becomes derived",
            [
                "Book.notes": "ZBOOK WHERE Z_ENT = 2 AND ZNOTES NOT NULL",
                "Novel.notes": "ZBOOK WHERE Z_ENT = 3 AND ZNOTES NOT NULL",
            ]
        ) {
            attribute(&$0, "Book", "notes") {
                $0.derivation = Attribute.Derivation(expression: "title")
            }
        },
        LossCase(
            "an attribute moves down to a sub-entity",
            ["Book.notes": "ZBOOK WHERE Z_ENT = 2 AND ZNOTES NOT NULL"]
        ) {
            remove(["notes"], &$0)
            edit(&$0, "Novel") { $0.attributes.append(text("notes")) }
        },
        LossCase(
            "Integer 64 becomes Double",
            ["Book.whole": "ZBOOK WHERE ZWHOLE = 9007199254740993"],
            type(.double, of: "whole")
        ),
        LossCase(
            "Integer 64 becomes Float",
            ["Book.whole": "ZBOOK WHERE ZWHOLE > 16777216"],
            type(.float, of: "whole")
        ),
        LossCase(
            "Integer 64 becomes Integer 32",
            ["Book.whole": "ZBOOK WHERE ZWHOLE > 2147483647"],
            type(.integer32, of: "whole")
        ),
        LossCase(
            "Integer 64 becomes Integer 16",
            ["Book.whole": "ZBOOK WHERE ZWHOLE > 32767"],
            type(.integer16, of: "whole")
        ),
        LossCase(
            "Integer 64 becomes Boolean",
            [
                "Book.whole": "ZBOOK WHERE Z_ENT = 2 AND ZWHOLE > 1",
                "Novel.whole": "ZBOOK WHERE Z_ENT = 3 AND ZWHOLE < 0",
            ],
            type(.boolean, of: "whole")
        ),
        LossCase(
            "Double becomes Float",
            ["Book.real": "ZBOOK WHERE ZREAL = 0.1", "Novel.real": "ZBOOK WHERE ZREAL > 1e39"],
            type(.float, of: "real")
        ),
        LossCase(
            "Double becomes Integer 64",
            [
                "Book.real": "ZBOOK WHERE ZREAL IN (0.1, 0.5)",
                "Novel.real": "ZBOOK WHERE ZREAL > 1e19",
            ],
            type(.integer64, of: "real")
        ),
        LossCase(
            "Double becomes Integer 16",
            [
                "Book.real": "ZBOOK WHERE ZREAL IN (0.1, 0.5)",
                "Novel.real": "ZBOOK WHERE ZREAL > 1e19",
            ],
            type(.integer16, of: "real")
        ),
        LossCase(
            "Double becomes Boolean",
            [
                "Book.real": "ZBOOK WHERE ZREAL IN (0.1, 0.5)",
                "Novel.real": "ZBOOK WHERE ZREAL > 1e19",
            ],
            type(.boolean, of: "real")
        ),
    ]

    static let rowCases: [LossCase] = [
        LossCase(
            "an entity is removed",
            ["Author": "ZAUTHOR", "Book.author": "SELECT count(ZAUTHOR) FROM ZBOOK"]
        ) {
            drop("Author", &$0)
        },
        LossCase(
            "a sub-entity is removed",
            [
                "Novel": "ZBOOK WHERE Z_ENT = 3",
                "Author.books": "SELECT count(ZAUTHOR) FROM ZBOOK WHERE Z_ENT = 3",
                "Cover.book": "ZBOOK WHERE Z_ENT = 3 AND ZCOVER NOT NULL",
                "Tag.books": "Z_2TAGS WHERE Z_2BOOKS IN (3, 4)",
            ]
        ) { $0.entities.removeAll { $0.name == "Novel" } },
        LossCase("an entity is renamed without saying so", ["Tag": "ZTAG", "Book.tags": tagged]) {
            edit(&$0, "Tag") { $0.name = "Label" }
            relationship(&$0, "Book", "tags") {
                ($0.destinationEntity, $0.inverseEntity) = ("Label", "Label")
            }
        },
        LossCase(
            "an entity is removed with its relationships",
            ["Tag": "ZTAG", "Book.tags": tagged]
        ) {
            drop("Tag", &$0)
        },
        LossCase(
            "the entity of a one-to-one relationship is removed",
            ["Cover": "ZCOVER", "Book.cover": "SELECT count(ZCOVER) FROM ZBOOK"]
        ) { drop("Cover", &$0) },
        LossCase(
            "a hierarchy is removed",
            [
                "Book": "ZBOOK WHERE Z_ENT = 2",
                "Novel": "ZBOOK WHERE Z_ENT = 3",
                "Author.books": "SELECT count(ZAUTHOR) FROM ZBOOK",
                "Cover.book": "SELECT count(ZBOOK) FROM ZCOVER",
                "Tag.books": tagged,
            ]
        ) {
            $0.entities.removeAll { $0.name == "Novel" }
            drop("Book", &$0)
        },
    ]
}

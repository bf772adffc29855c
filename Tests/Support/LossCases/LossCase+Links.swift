import ObjectModel
import TestSupport

extension LossCase {
    static let linkCases: [LossCase] = [
        LossCase(
            "a relationship is removed with its inverse",
            ["Book.author": "SELECT count(ZAUTHOR) FROM ZBOOK"]
        ) {
            remove(["author"], &$0)
            relationship(&$0, "Author", "books") { _ in }
            edit(&$0, "Author") { $0.relationships = [] }
        },
        LossCase("a to-many is removed, and its to-one inverse stays") {
            removeBooks(&$0)
        },
        LossCase(
            "an ordered to-many is removed, and its to-one inverse stays",
            rows: library + ["UPDATE ZBOOK SET Z_FOK_AUTHOR = Z_PK * 1024 WHERE ZAUTHOR NOT NULL"],
            ["Author.books": "ZBOOK WHERE ZAUTHOR = 1"],
            from: { relationship(&$0, "Author", "books") { $0.isOrdered = true } },
            { removeBooks(&$0) }
        ),
        LossCase("a many-to-many relationship is removed", ["Book.tags": tagged]) {
            remove(["tags"], &$0)
            edit(&$0, "Tag") { $0.relationships = [] }
        },
        LossCase(
            "a one-to-one relationship is removed",
            ["Book.cover": "SELECT count(ZCOVER) FROM ZBOOK"]
        ) {
            remove(["cover"], &$0)
            edit(&$0, "Cover") { $0.relationships = [] }
        },
        LossCase(
            "a relationship becomes transient",
            ["Book.author": "SELECT count(ZAUTHOR) FROM ZBOOK"]
        ) {
            relationship(&$0, "Book", "author") { $0.isTransient = true }
            relationship(&$0, "Author", "books") { $0.isTransient = true }
        },
        LossCase(
            "a relationship is renamed without saying so on both sides",
            ["Book.author": "SELECT count(ZAUTHOR) FROM ZBOOK"]
        ) {
            relationship(&$0, "Book", "author") { ($0.name, $0.inverseName) = ("writer", "works") }
            relationship(&$0, "Author", "books") { ($0.name, $0.inverseName) = ("works", "writer") }
        },
        LossCase(
            "one-to-many becomes one-to-one",
            ["Author.books": "SELECT count(ZAUTHOR) - count(DISTINCT ZAUTHOR) FROM ZBOOK"]
        ) { relationship(&$0, "Author", "books") { ($0.isToMany, $0.maxCount) = (false, 1) } },
        LossCase(
            "many-to-many becomes many-to-one",
            ["Book.tags": "SELECT count(*) - count(DISTINCT Z_2BOOKS) FROM Z_2TAGS"]
        ) { relationship(&$0, "Book", "tags") { ($0.isToMany, $0.maxCount) = (false, 1) } },
        LossCase(
            "many-to-many becomes one-to-many",
            ["Tag.books": "SELECT count(*) - count(DISTINCT Z_5TAGS) FROM Z_2TAGS"]
        ) { relationship(&$0, "Tag", "books") { ($0.isToMany, $0.maxCount) = (false, 1) } },
        LossCase(
            "an ordered relationship is no longer ordered",
            rows: library + ["UPDATE ZBOOK SET Z_FOK_AUTHOR = Z_PK * 1024 WHERE ZAUTHOR NOT NULL"],
            ["Author.books": "ZBOOK WHERE ZAUTHOR = 1"],
            from: { relationship(&$0, "Author", "books") { $0.isOrdered = true } },
            { relationship(&$0, "Author", "books") { $0.isOrdered = false } }
        ),
        LossCase(
            "an ordered relationship gets an unordered to-many inverse",
            rows: library + ["UPDATE ZBOOK SET Z_FOK_AUTHOR = Z_PK * 1024 WHERE ZAUTHOR NOT NULL"],
            from: { relationship(&$0, "Author", "books") { $0.isOrdered = true } }
        ) { relationship(&$0, "Book", "author") { ($0.isToMany, $0.maxCount) = (true, nil) } },
        LossCase(
            "a maximum becomes smaller",
            [
                "Author.books":
                    "SELECT count(*) FROM (SELECT ZAUTHOR FROM ZBOOK WHERE ZAUTHOR NOT NULL GROUP BY 1 HAVING count(*) > 1)"
            ],
            from: { relationship(&$0, "Author", "books") { $0.maxCount = 5 } },
            { relationship(&$0, "Author", "books") { $0.maxCount = 1 } }
        ),
        LossCase(
            "a maximum is set",
            [
                "Book.tags":
                    "SELECT count(*) FROM (SELECT 1 FROM Z_2TAGS GROUP BY Z_2BOOKS HAVING count(*) > 1)"
            ]
        ) { relationship(&$0, "Book", "tags") { $0.maxCount = 1 } },
    ]

    static let hierarchyCases: [LossCase] = [
        LossCase(
            "the destination of a relationship becomes a sub-entity",
            ["Author.books": "SELECT count(ZAUTHOR) FROM ZBOOK WHERE Z_ENT = 2"]
        ) {
            edit(&$0, "Novel") { $0.relationships.append(link("author", "Author", "books")) }
            edit(&$0, "Book") { $0.relationships.removeAll { $0.name == "author" } }
            relationship(&$0, "Author", "books") {
                ($0.destinationEntity, $0.inverseEntity) = ("Novel", "Novel")
            }
        },
        LossCase(
            "the destination of a relationship becomes another entity",
            ["Book.author": "SELECT count(ZAUTHOR) FROM ZBOOK"]
        ) {
            $0.entities.append(
                Entity("Writer", relationships: [link("books", "Book", "author", many: true)])
            )
            edit(&$0, "Author") { $0.relationships = [] }
            relationship(&$0, "Book", "author") {
                ($0.destinationEntity, $0.inverseEntity) = ("Writer", "Writer")
            }
        },
        LossCase(
            "a sub-entity leaves its hierarchy",
            [
                "Novel.title": "SELECT count(ZTITLE) FROM ZBOOK WHERE Z_ENT = 3",
                "Novel.notes": "SELECT count(ZNOTES) FROM ZBOOK WHERE Z_ENT = 3",
                "Novel.whole": "SELECT count(ZWHOLE) FROM ZBOOK WHERE Z_ENT = 3",
                "Novel.real": "SELECT count(ZREAL) FROM ZBOOK WHERE Z_ENT = 3",
                "Author.books": "SELECT count(ZAUTHOR) FROM ZBOOK WHERE Z_ENT = 3",
                "Cover.book": "ZBOOK WHERE Z_ENT = 3 AND ZCOVER NOT NULL",
                "Tag.books": "Z_2TAGS WHERE Z_2BOOKS IN (3, 4)",
            ]
        ) { edit(&$0, "Novel") { $0.parentEntity = nil } },
        LossCase(
            "a many-to-many relationship moves down to a sub-entity",
            ["Book.tags": "Z_2TAGS WHERE Z_2BOOKS IN (1, 2)"]
        ) {
            edit(&$0, "Book") { $0.relationships.removeAll { $0.name == "tags" } }
            edit(&$0, "Novel") { $0.relationships.append(link("tags", "Tag", "books", many: true)) }
            relationship(&$0, "Tag", "books") {
                ($0.destinationEntity, $0.inverseEntity) = ("Novel", "Novel")
            }
        },
        LossCase(
            "only one column of a one-to-one relationship has the link",
            rows: library + ["UPDATE ZBOOK SET ZCOVER = NULL"],
            [:]
        ) { relationship(&$0, "Book", "cover") { ($0.isToMany, $0.maxCount) = (true, nil) } },
        LossCase(
            "the columns of a one-to-one relationship contradict each other",
            rows: library + ["UPDATE ZBOOK SET ZCOVER = 3 WHERE Z_PK = 1"],
            ["Book.cover": "SELECT 1"]
        ) { relationship(&$0, "Book", "cover") { ($0.isToMany, $0.maxCount) = (true, nil) } },
        LossCase("nothing is lost", [:]) {
            attribute(&$0, "Book", "title") {
                ($0.name, $0.renamingIdentifier) = ("heading", "title")
            }
            edit(&$0, "Novel") { $0.attributes.append(text("series")) }
        },
    ]

    /// Removes one side of a relationship; the other, which has the column, goes on without an inverse.
    private static func removeBooks(_ model: inout ManagedObjectModel) {
        edit(&model, "Author") { $0.relationships.removeAll { $0.name == "books" } }
        relationship(&model, "Book", "author") { ($0.inverseName, $0.inverseEntity) = (nil, nil) }
    }
}

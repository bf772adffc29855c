import ObjectModel
import TestSupport

/// Changes that the rows forbid, whatever is agreed to.
extension LossCase {
    static let refusedCases: [LossCase] = [
        LossCase(
            "an attribute becomes mandatory, and objects have no value",
            against: ["Book.notes": "ZBOOK WHERE Z_ENT = 2 AND ZNOTES IS NULL"]
        ) { attribute(&$0, "Book", "notes") { $0.isOptional = false } },
        LossCase(
            "an inherited attribute becomes mandatory, and objects of a sub-entity have no value",
            against: ["Novel.title": "ZBOOK WHERE Z_ENT = 3 AND ZTITLE IS NULL"]
        ) { attribute(&$0, "Book", "title") { $0.isOptional = false } },
        LossCase(
            "a mandatory attribute without a default is added",
            against: ["Cover.size": "ZCOVER"]
        ) {
            edit(&$0, "Cover") {
                $0.attributes.append(Attribute("size", .double, isOptional: false))
            }
        },
        LossCase(
            "a mandatory attribute without a default is added to a parent",
            against: ["Book.size": "ZBOOK WHERE Z_ENT = 2", "Novel.size": "ZBOOK WHERE Z_ENT = 3"]
        ) {
            edit(&$0, "Book") {
                $0.attributes.append(Attribute("size", .double, isOptional: false))
            }
        },
        LossCase(
            "a to-one relationship becomes mandatory, and objects have no link",
            against: ["Novel.author": "ZBOOK WHERE Z_ENT = 3 AND ZAUTHOR IS NULL"]
        ) { relationship(&$0, "Book", "author") { $0.isOptional = false } },
        LossCase(
            "a to-many becomes a mandatory to-one, and objects have no link",
            rows: library + ["DELETE FROM Z_2TAGS WHERE Z_2BOOKS = 2 OR Z_5TAGS = 2"],
            against: ["Book.tags": "ZBOOK WHERE Z_PK NOT IN (SELECT Z_2BOOKS FROM Z_2TAGS)"]
        ) {
            relationship(&$0, "Book", "tags") {
                ($0.isToMany, $0.maxCount, $0.isOptional) = (false, 1, false)
            }
        },
        LossCase(
            "one-to-many becomes one-to-one, and objects must keep a link",
            rows: library + ["UPDATE ZBOOK SET ZAUTHOR = 2 WHERE ZAUTHOR IS NULL"],
            ["Author.books": "SELECT count(*) - count(DISTINCT ZAUTHOR) FROM ZBOOK"],
            against: ["Book.author": "SELECT count(*) - count(DISTINCT ZAUTHOR) FROM ZBOOK"]
        ) {
            relationship(&$0, "Author", "books") { ($0.isToMany, $0.maxCount) = (false, 1) }
            relationship(&$0, "Book", "author") { $0.isOptional = false }
        },
        LossCase(
            "a mandatory to-one relationship is added to a parent",
            against: [
                "Book.owner": "SELECT count(*) FROM ZBOOK WHERE Z_ENT = 2",
                "Novel.owner": "SELECT count(*) FROM ZBOOK WHERE Z_ENT = 3",
            ]
        ) {
            edit(&$0, "Book") {
                $0.relationships.append(
                    Relationship(
                        name: "owner",
                        isOptional: false,
                        maxCount: 1,
                        destinationEntity: "Author"
                    )
                )
            }
        },
        LossCase(
            "an entity becomes abstract and has objects",
            against: ["Book": "ZBOOK WHERE Z_ENT = 2"]
        ) { edit(&$0, "Book") { $0.isAbstract = true } },
        LossCase(
            "values must be unique, and there are duplicates",
            rows: library + ["UPDATE ZTAG SET ZWORD = 'x'"],
            against: ["Tag": "SELECT count(ZWORD) - count(DISTINCT ZWORD) FROM ZTAG"]
        ) { edit(&$0, "Tag") { $0.uniquenessConstraints.append(.init(properties: ["word"])) } },
        LossCase(
            "values must be unique, and a parent and its sub-entity have duplicates",
            rows: library + [
                "UPDATE ZBOOK SET ZTITLE = Z_PK", "UPDATE ZBOOK SET ZTITLE = 2 WHERE Z_PK = 3",
            ],
            against: ["Book": "SELECT count(ZTITLE) - count(DISTINCT ZTITLE) FROM ZBOOK"]
        ) { edit(&$0, "Book") { $0.uniquenessConstraints.append(.init(properties: ["title"])) } },
        LossCase(
            "narrowing makes duplicates of values that must be unique",
            rows: library + ["UPDATE ZBOOK SET ZWHOLE = 40000 + Z_PK"],
            [
                "Book.whole": "ZBOOK WHERE Z_ENT = 2 AND ZWHOLE > 32767",
                "Novel.whole": "ZBOOK WHERE Z_ENT = 3 AND ZWHOLE > 32767",
            ],
            against: ["Book": "SELECT count(*) - 1 FROM ZBOOK WHERE ZWHOLE > 32767"],
            from: {
                edit(&$0, "Book") { $0.uniquenessConstraints.append(.init(properties: ["whole"])) }
            },
            type(.integer16, of: "whole")
        ),
        LossCase(
            "the destination of a mandatory relationship becomes a sub-entity",
            rows: library + [
                "UPDATE ZCOVER SET ZBOOK = 3, Z2_BOOK = 3 WHERE Z_PK = 2",
                "UPDATE ZBOOK SET ZCOVER = CASE Z_PK WHEN 2 THEN NULL ELSE 2 END WHERE Z_PK IN (2, 3)",
            ],
            ["Book.cover": "ZBOOK WHERE Z_ENT = 2 AND ZCOVER NOT NULL"],
            against: ["Cover.book": "ZCOVER WHERE Z2_BOOK = 2"],
            from: { relationship(&$0, "Cover", "book") { $0.isOptional = false } }
        ) {
            edit(&$0, "Book") { $0.relationships.removeAll { $0.name == "cover" } }
            edit(&$0, "Novel") { $0.relationships.append(link("cover", "Cover", "book")) }
            relationship(&$0, "Cover", "book") {
                ($0.destinationEntity, $0.inverseEntity) = ("Novel", "Novel")
            }
        },
    ]
}

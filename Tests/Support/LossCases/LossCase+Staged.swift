package import ObjectModel
import TestSupport

package struct StagedLossCase: Sendable, CustomStringConvertible {
    package enum Work: Sendable {
        case map(String)
        case mappingModel(MappingModelSource)
        case script(String)
        /// What a program prints.
        case program(String)
    }

    package var example: LossCase
    package var work: Work
    /// What it shows of what roads lose.
    package var cells: [(kind: LossKind, road: LossRoad)] = []

    package var description: String { example.title }

    package static let all = mapCases + roadCases

    private static let mapCases: [StagedLossCase] = [
        StagedLossCase(
            example: LossCase(
                "map: a number is copied into a narrower one",
                ["Book.whole": "ZBOOK WHERE Z_ENT = 2 AND ZWHOLE > 32767"],
                LossCase.type(.integer16, of: "whole")
            ),
            work: .map("entities: [{from: Book, to: Book, set: {whole: $source.whole}}]"),
            cells: [(.value, .map)]
        ),
        StagedLossCase(
            example: LossCase(
                "map: texts that are no numbers are cast to a number",
                [
                    "Book.title": "ZBOOK WHERE Z_ENT = 2 AND ZTITLE IN ('t')",
                    "Novel.title": "ZBOOK WHERE Z_ENT = 3 AND ZTITLE IN ('u')",
                ],
                LossCase.type(.integer64, of: "title")
            ),
            work: .map(
                """
                entities:
                  - {from: Book, to: Book, set: {title: {cast: [$source.title, integer]}}}
                  - {from: Novel, to: Novel, set: {title: {cast: [$source.title, integer]}}}
                """
            )
        ),
        StagedLossCase(
            example: LossCase(
                "map: an expression gives what does not fit",
                ["Book.small": "ZBOOK WHERE Z_ENT = 2 AND ZWHOLE > 30000"]
            ) { add(Attribute("small", .integer16), to: "Book", &$0) },
            work: .map("entities: [{from: Book, to: Book, set: {small: $source.whole + 2000}}]")
        ),
        StagedLossCase(
            example: LossCase(
                "map: a division by zero",
                ["Book.share": "ZBOOK WHERE Z_ENT = 2 AND ZWHOLE = 70000"]
            ) { add(Attribute("share", .double), to: "Book", &$0) },
            work: .map(
                """
                entities:
                  - {from: Book, to: Book, set: {share: $source.real / ($source.whole - 70000)}}
                """
            )
        ),
        StagedLossCase(
            example: LossCase(
                "map: a lookup finds several objects",
                [
                    "Book.twin": """
                    SELECT count(*) FROM ZBOOK AS b WHERE Z_ENT = 2 AND \
                    (SELECT count(*) FROM ZBOOK AS o WHERE o.ZTITLE = b.ZTITLE) > 1
                    """
                ]
            ) { add(text("twin"), to: "Book", &$0) },
            work: .map(
                """
                entities:
                  - from: Book
                    to: Book
                    set: {twin: {lookup: {entity: Book, key: title, equals: $source.title, value: notes}}}
                """
            )
        ),
        StagedLossCase(
            example: LossCase(
                "map: findOrCreate makes one object of several",
                [
                    "Work.whole": """
                    SELECT count(*) - count(DISTINCT ZTITLE) FROM ZBOOK \
                    WHERE Z_ENT = 2 AND ZWHOLE NOT NULL
                    """
                ]
            ) {
                $0.entities.append(Entity("Work", [text("title"), Attribute("whole", .integer64)]))
            },
            work: .map(
                """
                entities:
                  - {from: Book, to: Work, findOrCreate: title, copyRest: false,
                     set: {title: $source.title, whole: $source.whole}}
                  - {from: Book, to: Book}
                """
            )
        ),
        StagedLossCase(
            example: LossCase(
                "map: findOrCreate merges objects whose links have room for one",
                rows: LossCase.library + ["UPDATE ZBOOK SET ZAUTHOR = 3 WHERE Z_PK = 2"],
                [
                    "Book.author": """
                    SELECT sum(n - 1) FROM (SELECT count(DISTINCT ZAUTHOR) AS n FROM ZBOOK \
                    WHERE Z_ENT = 2 AND ZAUTHOR NOT NULL GROUP BY ZTITLE)
                    """
                ]
            ) {
                $0.entities.append(
                    Entity(
                        "Work",
                        [text("title")],
                        relationships: [LossCase.link("writer", "Author", "works")]
                    )
                )
                LossCase.edit(&$0, "Author") {
                    $0.relationships.append(LossCase.link("works", "Work", "writer", many: true))
                }
            },
            work: .map(
                """
                entities:
                  - {from: Book, to: Work, findOrCreate: title, copyRest: false,
                     set: {title: $source.title, writer: $source.author}}
                  - {from: Book, to: Book}
                """
            ),
            cells: [(.link, .merge)]
        ),
        StagedLossCase(
            example: LossCase(
                "map: the last of several objects is taken",
                ["Author.books": "SELECT count(ZAUTHOR) - count(DISTINCT ZAUTHOR) FROM ZBOOK"]
            ) {
                LossCase.remove(["author", "books"], &$0)
                LossCase.edit(&$0, "Author") {
                    $0.relationships = [LossCase.link("latest", "Book", "author")]
                }
                LossCase.edit(&$0, "Book") {
                    $0.relationships.append(LossCase.link("author", "Author", "latest"))
                }
                LossCase.edit(&$0, "Tag") {
                    $0.relationships = [LossCase.link("books", "Book", "tags", many: true)]
                }
            },
            work: .map(
                "entities: [{from: Author, to: Author, set: {latest: {last: $source.books}}}]"
            )
        ),
        StagedLossCase(
            example: LossCase(
                "map: one side is set, and the other has room for one link",
                [
                    "Book.author":
                        "SELECT count(*) - count(DISTINCT ZAUTHOR) FROM ZBOOK WHERE ZAUTHOR NOT NULL"
                ]
            ) {
                LossCase.relationship(&$0, "Author", "books") {
                    ($0.name, $0.inverseName) = ("main", "writers")
                    ($0.isToMany, $0.maxCount) = (false, 1)
                }
                LossCase.relationship(&$0, "Book", "author") {
                    ($0.name, $0.inverseName) = ("writers", "main")
                    ($0.isToMany, $0.maxCount) = (true, nil)
                }
            },
            work: .map(
                "entities: [{from: Book, to: Book, set: {writers: $source.author}}, "
                    + "{from: Novel, to: Novel, set: {writers: $source.author}}]"
            ),
            cells: [(.link, .map)]
        ),
        StagedLossCase(
            example: LossCase(
                "map: find finds no object, coalesce takes another value, split takes one part",
                rows: LossCase.library + ["UPDATE ZBOOK SET ZTITLE = 'a b' WHERE Z_PK = 1"],
                [
                    "Book.notes": "ZBOOK WHERE Z_ENT = 2 AND ZNOTES NOT NULL AND ZTITLE NOT NULL",
                    "Book.title": "ZBOOK WHERE Z_ENT = 2 AND ZTITLE LIKE '% %'",
                    "Novel.notes": "ZBOOK WHERE Z_ENT = 3 AND ZNOTES NOT NULL",
                    "Novel.title": "ZBOOK WHERE Z_ENT = 3 AND ZTITLE NOT NULL",
                    "Cover.color":
                        "ZCOVER WHERE ZCOLOR NOT IN (SELECT ZWORD FROM ZTAG WHERE ZWORD NOT NULL)",
                ]
            ) {
                LossCase.remove(["notes", "title", "color"], &$0)
                add(text("label"), to: "Book", &$0)
                LossCase.edit(&$0, "Cover") {
                    $0.relationships.append(LossCase.link("tag", "Tag", "covers"))
                }
                LossCase.edit(&$0, "Tag") {
                    $0.relationships.append(LossCase.link("covers", "Cover", "tag", many: true))
                }
            },
            work: .map(
                """
                entities:
                  - {from: Book, to: Book, set: {label: {coalesce: [{split: [$source.title, ' ', 0]}, $source.notes]}}}
                  - {from: Cover, to: Cover, set: {tag: {find: {entity: Tag, key: word, equals: $source.color}}}}
                """
            )
        ),
        StagedLossCase(
            example: LossCase(
                "map: an expression gives nil to a mandatory attribute",
                against: ["Book.label": "ZBOOK WHERE Z_ENT = 2 AND ZNOTES IS NULL"]
            ) {
                add(
                    Attribute("label", .string, isOptional: false, defaultValue: .string("")),
                    to: "Book",
                    &$0
                )
            },
            work: .map(
                "entities: [{from: Book, to: Book, set: {label: {join: [' ', $source.notes]}}}]"
            )
        ),
        StagedLossCase(
            example: LossCase(
                "map: a condition leaves objects out",
                ["Author": "ZAUTHOR WHERE ZNAME = 'c'"]
            ) { add(text("city"), to: "Author", &$0) },
            work: .map("entities: [{from: Author, to: Author, where: name != 'c'}]"),
            cells: [(.object, .map)]
        ),
        StagedLossCase(
            example: LossCase(
                "map: a constant has the name of an attribute, which goes",
                ["Cover.color": "SELECT count(ZCOLOR) FROM ZCOVER"]
            ) { add(text("label"), to: "Cover", &$0) },
            work: .map(
                """
                entities:
                  - {from: Cover, to: Cover, copyRest: false,
                     set: {book: $source.book, label: {constant: color}}}
                """
            )
        ),
        StagedLossCase(
            example: LossCase(
                "map: links lead to objects that become another entity",
                ["Book.cover": movedCovers],
                addStickers
            ),
            work: .map(splitCovers)
        ),
        StagedLossCase(
            example: LossCase(
                "map: history and mirroring have records of objects that become another entity",
                rows: LossCase.library + [
                    "CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB )",
                    "CREATE TABLE ANSCKRECORDMETADATA ( Z_PK INTEGER PRIMARY KEY, ZENTITYID INTEGER, ZENTITYPK INTEGER )",
                    "INSERT INTO ACHANGE (ZENTITY, ZENTITYPK) VALUES (1, 1), (4, 1), (4, 2), (4, 4)",
                    "INSERT INTO ANSCKRECORDMETADATA (ZENTITYID, ZENTITYPK) VALUES (4, 1), (4, 3)",
                ],
                [
                    "Book.cover": movedCovers,
                    "Cover": """
                    SELECT (SELECT count(*) FROM ACHANGE AS a JOIN ZCOVER AS c ON c.Z_PK = a.ZENTITYPK \
                    WHERE ZENTITY = 4 AND ZCOLOR IS NOT 'r') + (SELECT count(*) FROM \
                    ANSCKRECORDMETADATA AS a JOIN ZCOVER AS c ON c.Z_PK = a.ZENTITYPK \
                    WHERE ZENTITYID = 4 AND ZCOLOR IS NOT 'r')
                    """,
                ],
                addStickers
            ),
            work: .map(splitCovers)
        ),
        StagedLossCase(
            example: LossCase(
                "mapping model: a number is copied into a narrower one",
                ["Book.whole": "ZBOOK WHERE Z_ENT = 2 AND ZWHOLE > 32767"],
                LossCase.type(.integer16, of: "whole")
            ),
            work: .mappingModel(copying(LossCase.model, leavingOut: nil)),
            cells: [(.value, .mappingModel)]
        ),
        StagedLossCase(
            example: LossCase(
                "mapping model: it leads to nothing for an attribute",
                [
                    "Book.notes": "ZBOOK WHERE Z_ENT = 2 AND ZNOTES NOT NULL",
                    "Novel.notes": "ZBOOK WHERE Z_ENT = 3 AND ZNOTES NOT NULL",
                ]
            ) { LossCase.remove(["notes"], &$0) },
            work: .mappingModel(copying(LossCase.model, leavingOut: "notes"))
        ),
        StagedLossCase(
            example: LossCase(
                "stage: a script moves values elsewhere, which momtool cannot know",
                [
                    "Book.notes": "ZBOOK WHERE Z_ENT = 2 AND ZNOTES NOT NULL",
                    "Novel.notes": "ZBOOK WHERE Z_ENT = 3 AND ZNOTES NOT NULL",
                ]
            ) { LossCase.remove(["notes"], &$0) },
            work: .script("UPDATE Book SET title = notes WHERE title IS NULL;\n")
        ),
    ]

    private static let splitCovers = """
        entities:
          - {from: Cover, to: Cover, where: color = 'r'}
          - {from: Cover, to: Sticker, where: color != 'r', set: {color: $source.color}}
        """

    private static let movedCovers = "ZCOVER WHERE ZCOLOR IS NOT 'r' AND ZBOOK NOT NULL"

    private static func addStickers(_ model: inout ManagedObjectModel) {
        model.entities.append(Entity("Sticker", [text("color")]))
    }

    static func text(_ name: String) -> Attribute { LossCase.text(name) }

    static func add(
        _ attribute: Attribute,
        to entity: String,
        _ model: inout ManagedObjectModel
    ) { LossCase.edit(&model, entity) { $0.attributes.append(attribute) } }

    /// A mapping model that copies all but an attribute, or an entity and what leads to it.
    static func copying(_ model: ManagedObjectModel, leavingOut name: String?) -> MappingModelSource
    {
        let graph = ModelGraph(model)
        return MappingModelSource(
            entityMappings: model.entities.filter { $0.name != name }.map { entity in
                MappingModelSource.EntityMapping(
                    sourceName: entity.name,
                    destinationName: entity.name,
                    attributes: graph.attributes(of: entity).map(\.name).filter { $0 != name }
                        .map { MappingModelSource.PropertyMapping(name: $0) },
                    relationships: graph.relationships(of: entity)
                        .filter { $0.destinationEntity != name }
                        .map { MappingModelSource.PropertyMapping(name: $0.name) }
                )
            }
        )
    }
}

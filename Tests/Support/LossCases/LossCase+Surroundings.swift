import ObjectModel
import TestSupport

extension LossCase {
    private static let place = CompositeType(
        "Place",
        [text("street"), Attribute("number", .integer32)]
    )

    private static func addPlace(_ model: inout ManagedObjectModel) {
        model.composites = [place]
        edit(&model, "Author") {
            $0.attributes.append(Attribute("home", .composite, compositeName: "Place"))
        }
    }

    private static let places =
        library + ["UPDATE ZAUTHOR SET ZSTREET = 's', ZNUMBER = 70000 WHERE Z_PK < 3"]

    static let compositeCases: [LossCase] = [
        LossCase(
            "a composite attribute is removed",
            rows: places,
            [
                "Author.home.street": "SELECT count(ZSTREET) FROM ZAUTHOR",
                "Author.home.number": "SELECT count(ZNUMBER) FROM ZAUTHOR",
            ],
            from: addPlace
        ) { remove(["home"], &$0) },
        LossCase(
            "an element of a composite attribute is removed",
            rows: places,
            ["Author.home.street": "SELECT count(ZSTREET) FROM ZAUTHOR"],
            from: addPlace
        ) { $0.composites[0].attributes.removeFirst() },
        LossCase(
            "an element of a composite attribute is narrowed",
            rows: places,
            ["Author.home.number": "ZAUTHOR WHERE ZNUMBER > 32767"],
            from: addPlace
        ) { $0.composites[0].attributes[1].type = .integer16 },
    ]

    static let surroundingCases: [LossCase] = [
        LossCase(
            "an index that Core Data did not make uses a removed attribute",
            rows: library + ["CREATE INDEX mine ON ZCOVER (ZCOLOR)"],
            [
                "Cover.color": "SELECT count(ZCOLOR) FROM ZCOVER",
                "Cover.mine": "sqlite_master WHERE name = 'mine'",
            ]
        ) { remove(["color"], &$0) },
        LossCase(
            "a trigger that Core Data did not make uses a removed attribute",
            rows: library + [
                "CREATE TABLE log (what TEXT)",
                "CREATE TRIGGER mine AFTER UPDATE ON ZCOVER BEGIN INSERT INTO log VALUES (NEW.ZCOLOR); END",
            ],
            [
                "Cover.color": "SELECT count(ZCOLOR) FROM ZCOVER",
                "Cover.mine": "sqlite_master WHERE name = 'mine'",
            ]
        ) { remove(["color"], &$0) },
        LossCase(
            "a column that Core Data did not make is in a table that is made anew",
            rows: library + [
                "ALTER TABLE ZCOVER ADD COLUMN mine TEXT",
                "UPDATE ZCOVER SET mine = 'm' WHERE Z_PK < 3",
            ],
            [
                "Cover.mine": "SELECT count(mine) FROM ZCOVER",
                "Cover.color": "SELECT count(ZCOLOR) FROM ZCOVER",
                "Cover.book": "SELECT count(ZBOOK) FROM ZCOVER",
            ]
        ) {
            remove(["color", "cover"], &$0)
            edit(&$0, "Cover") { $0.relationships = [] }
        },
        LossCase(
            "history and mirroring have records of a removed entity",
            rows: library + [
                "CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB )",
                "CREATE TABLE ANSCKRECORDMETADATA ( Z_PK INTEGER PRIMARY KEY, ZENTITYID INTEGER, ZENTITYPK INTEGER )",
                "INSERT INTO ACHANGE (ZENTITY, ZENTITYPK) VALUES (1, 1), (4, 7), (4, 1), (5, 1)",
                "INSERT INTO ANSCKRECORDMETADATA (ZENTITYID, ZENTITYPK) VALUES (4, 1), (5, 1)",
            ],
            [
                "Cover":
                    "SELECT (SELECT count(*) FROM ZCOVER) + (SELECT count(*) FROM ACHANGE WHERE ZENTITY = 4) + (SELECT count(*) FROM ANSCKRECORDMETADATA WHERE ZENTITYID = 4)",
                "Book.cover": "SELECT count(ZCOVER) FROM ZBOOK",
            ]
        ) { drop("Cover", &$0) },
        LossCase(
            "a rewritten table has rows that belong to no entity",
            rows: library + [
                "UPDATE ZCOVER SET Z_ENT = 77 WHERE Z_PK = 3",
                "UPDATE ZBOOK SET ZCOVER = NULL WHERE ZCOVER = 3",
            ],
            ["Cover": "ZCOVER WHERE Z_ENT NOT IN (SELECT Z_ENT FROM Z_PRIMARYKEY)"]
        ) {
            edit(&$0, "Cover") {
                $0.attributes.append(Attribute("size", .double, defaultValue: .double(1)))
            }
        },
        LossCase(
            "an entity with a many-to-many relationship to itself changes",
            rows: library + ["INSERT INTO Z_5BROADER VALUES (1, 2), (1, 3)"],
            said: ["the join table Z_5BROADER is named after Tag.broader"],
            from: {
                edit(&$0, "Tag") {
                    $0.relationships += [
                        link("broader", "Tag", "narrower", many: true),
                        link("narrower", "Tag", "broader", many: true),
                    ]
                }
            },
            { edit(&$0, "Tag") { $0.attributes.append(text("comment")) } }
        ),
    ]
}

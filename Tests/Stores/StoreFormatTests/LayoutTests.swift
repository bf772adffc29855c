import ObjectModel
import TestSupport
import Testing

@testable import StoreFormat

struct LayoutTests {
    @Test func `entities are numbered by hierarchy and by name regardless of case`() {
        let model = ManagedObjectModel([
            Entity("SContact"), Entity("ScheduledTag"), Entity("zoo", parentEntity: "apple"),
            Entity("Bee", parentEntity: "apple"), Entity("apple", isAbstract: true),
            Entity("deep", parentEntity: "Bee"),
        ])
        let layout = StoreLayout(model: model)
        let names = ["apple", "Bee", "deep", "zoo", "ScheduledTag", "SContact"]
        #expect(layout.entities.map(\.name) == names)
        #expect(layout.entities.map(\.superNumber) == [0, 1, 2, 1, 0, 0])
        #expect(
            layout.entities.map(\.rootName) == ["apple", "apple", "apple", "apple"] + names[4...]
        )
        #expect(layout.tables.map(\.name) == ["ZAPPLE", "ZSCHEDULEDTAG", "ZSCONTACT"])
        #expect(layout.numbers(ofHierarchy: "Bee") == [2, 3])
        #expect(layout.numbers(ofHierarchy: "nobody") == [])
    }

    @Test(arguments: [
        ("deep", "deep", true), ("deep", "Bee", true), ("deep", "apple", true),
        ("Bee", "deep", false), ("zoo", "Bee", false), ("pear", "apple", false),
        ("deep", "nobody", false), ("nobody", "apple", false), ("nobody", "nobody", false),
    ])
    func `an entity is of the kind of itself and of all above it`(
        entity: String,
        other: String,
        isKind: Bool
    ) {
        let model = ManagedObjectModel([
            Entity("pear"), Entity("zoo", parentEntity: "apple"),
            Entity("Bee", parentEntity: "apple"), Entity("apple"),
            Entity("deep", parentEntity: "Bee"),
        ])
        #expect(StoreLayout(model: model).isEntity(entity, kindOf: other) == isKind)
    }

    @Test func `columns stand in groups, and inside a group by literal name`() {
        let attributes: [(String, AttributeType)] = [
            ("z", .integer16), ("B", .boolean), ("_a", .integer64), ("a", .integer32),
            ("date", .date), ("double", .double), ("float", .float), ("money", .decimal),
            ("text", .string), ("link", .uri), ("id", .uuid), ("object", .transformable),
            ("bytes", .binary), ("nothing", .undefined),
        ]
        let entity = Entity(
            name: "All",
            attributes: attributes.map { Attribute($0, $1) } + [
                Attribute("gone", .string, isTransient: true)
            ]
        )
        let layout = StoreLayout(model: ManagedObjectModel([entity]))
        #expect(
            layout.tables.map(\.createSQL) == [
                "CREATE TABLE ZALL ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
                    + "ZB INTEGER, Z_A INTEGER, ZA INTEGER, ZZ INTEGER, ZDATE TIMESTAMP, "
                    + "ZDOUBLE FLOAT, ZFLOAT FLOAT, ZMONEY DECIMAL, ZTEXT VARCHAR, ZLINK VARCHAR, "
                    + "ZID BLOB, ZOBJECT BLOB, ZBYTES BLOB )"
            ]
        )
    }

    @Test func `elements of a composite are columns at the composite's place`() {
        // The table of a real store (SQLiteStores, "Composite attributes").
        let model = ManagedObjectModel(
            entities: [
                Entity(
                    "IngredientBase",
                    [
                        Attribute("baseCategory", .string), Attribute("id", .uuid),
                        Attribute("info", .string), Attribute("isCustom", .boolean),
                        Attribute("name", .string),
                        Attribute("prep", .composite, compositeName: "Prep"),
                        Attribute("specialtyCategory", .string),
                        Attribute("tags", .composite, compositeName: "Tags"),
                        Attribute("umbrellaCategory", .string),
                    ]
                )
            ],
            composites: [
                CompositeType(
                    "Prep",
                    [
                        Attribute("id", .uuid), Attribute("prepIngredientName", .string),
                        Attribute("prepRecipe", .binary),
                    ]
                ),
                CompositeType(
                    name: "Tags",
                    attributes: ["flavors", "profiles", "styles", "booze", "nA"].map {
                        Attribute($0, .binary)
                    }
                ),
            ]
        )
        let layout = StoreLayout(model: model)
        #expect(
            layout.tables[0].createSQL
                == "CREATE TABLE ZINGREDIENTBASE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, "
                + "Z_OPT INTEGER, ZISCUSTOM INTEGER, ZBASECATEGORY VARCHAR, ZINFO VARCHAR, "
                + "ZNAME VARCHAR, ZPREPINGREDIENTNAME VARCHAR, ZSPECIALTYCATEGORY VARCHAR, "
                + "ZUMBRELLACATEGORY VARCHAR, ZID BLOB, ZID1 BLOB, ZPREPRECIPE BLOB, "
                + "ZFLAVORS BLOB, ZPROFILES BLOB, ZSTYLES BLOB, ZBOOZE BLOB, ZNA BLOB )"
        )
        let element = layout.column(of: "prep", path: ["id"], declaredBy: "IngredientBase")
        #expect(element?.name == "ZID1")
        #expect(layout.column(of: "id", declaredBy: "IngredientBase")?.name == "ZID")
    }

    @Test func `names that clash in one table are numbered in layout order`() {
        let model = ManagedObjectModel([
            Entity("Root", [Attribute("TEXT", .string)]),
            Entity(
                "A",
                parentEntity: "Root",
                [Attribute("text", .string)],
                relationships: [Relationship(name: "peer", destinationEntity: "Root")]
            ),
            Entity(
                "B",
                parentEntity: "Root",
                [Attribute("Text", .integer16)],
                relationships: [Relationship(name: "peer", destinationEntity: "Root")]
            ),
        ])
        let layout = StoreLayout(model: model)
        #expect(layout.column(of: "TEXT", declaredBy: "Root")?.name == "ZTEXT")
        #expect(layout.column(of: "text", declaredBy: "A")?.name == "ZTEXT1")
        #expect(layout.column(of: "Text", declaredBy: "B")?.name == "ZTEXT2")
        #expect(
            layout.links("peer", of: "B")
                == StoredLinks(
                    .key,
                    in: "ZROOT",
                    from: "Z_PK",
                    to: "ZPEER1",
                    entityColumn: "Z1_PEER1"
                )
        )
        #expect(layout.column(of: "TEXT", declaredBy: "B")?.name == "ZTEXT")
    }

    @Test func `relationships are kept where their kind says`() {
        let layout = StoreLayout(model: .library)
        func links(
            _ form: StoredLinks.Form,
            _ table: String,
            _ source: String,
            _ destination: String,
            _ order: String?
        ) -> StoredLinks {
            StoredLinks(form, in: table, from: source, to: destination, orderKey: order)
        }
        let key = links(.key, "ZBOOK", "Z_PK", "ZAUTHOR", "Z_FOK_AUTHOR")
        let back = links(.inverseKey, "ZBOOK", "ZAUTHOR", "Z_PK", "Z_FOK_AUTHOR")
        let books = links(.join, "Z_2TAGS", "Z_4TAGS", "Z_2BOOKS", "Z_FOK_2BOOKS")
        let tags = links(.join, "Z_2TAGS", "Z_2BOOKS", "Z_4TAGS", nil)
        #expect(layout.links("author", of: "Book") == key)
        #expect(layout.links("author", of: "Novel") == key)
        #expect(layout.links("books", of: "Author") == back)
        #expect(layout.links("books", of: "Tag") == books)
        #expect(layout.links("tags", of: "Book") == tags)
        #expect(layout.links("title", of: "Book") == nil)
    }

    @Test func `a to-many relationship without inverse is kept with its destination`() {
        let model = ManagedObjectModel([
            Entity("List", relationships: [.many("items", "Item", isOrdered: true)]),
            Entity("Item", [Attribute("weight", .double)]),
        ])
        let layout = StoreLayout(model: model)
        #expect(
            layout.table(of: "Item")?.createSQL
                == "CREATE TABLE ZITEM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
                + "Z2ITEMS INTEGER, Z_FOK_2ITEMS INTEGER, ZWEIGHT FLOAT )"
        )
        #expect(
            layout.indexes.map(\.sql) == ["CREATE INDEX ZITEM_Z2ITEMS_INDEX ON ZITEM (Z2ITEMS)"]
        )
        #expect(
            layout.links("items", of: "List")
                == StoredLinks(
                    .owner,
                    in: "ZITEM",
                    from: "Z2ITEMS",
                    to: "Z_PK",
                    orderKey: "Z_FOK_2ITEMS"
                )
        )
    }

    @Test func `a relationship that is its own inverse has a reflexive join table`() {
        let layout = StoreLayout(model: .friends(["friends": "friends"]))
        #expect(
            layout.joinTables.map(\.createSQL) == [
                "CREATE TABLE Z_1FRIENDS ( Z_1FRIENDS INTEGER, REFLEXIVE INTEGER, "
                    + "PRIMARY KEY (Z_1FRIENDS, REFLEXIVE) )"
            ]
        )
    }

    @Test(arguments: [("likes", "likedBy"), ("likedBy", "likes")])
    func `an override says which side of a pair within one entity names the table`(
        winner: String,
        other: String
    ) {
        let model = ManagedObjectModel.friends(["likes": "likedBy", "likedBy": "likes"])
        #expect(StoreLayout(model: model).joinTables.map(\.isNameGuessed) == [true])
        let stored = "Z_1\(winner.uppercased())"
        let wins = StoreLayout(model: model).namingRelationships(amongTables: ["ZP", stored])
        #expect(wins == [PropertyReference(entity: "P", name: winner)])
        let layout = StoreLayout(model: model, options: LayoutOptions(overrides: wins))
        #expect(layout.joinTables.map(\.name) == [stored])
        #expect(layout.joinTables.map(\.isNameGuessed) == [false])
        #expect(layout.joinTables.map(\.second.name) == [stored])
        #expect(layout.joinTables.map(\.first.name) == ["Z_1\(other.uppercased())"])
    }

    @Test(arguments: [
        (
            1526,
            [
                "CREATE INDEX Z_E_b ON ZE (ZB COLLATE BINARY ASC)",
                "CREATE INDEX Z_E_a_b ON ZE (ZA COLLATE BINARY ASC, ZB COLLATE BINARY ASC)",
                "CREATE INDEX Z_E_down ON ZE (ZA COLLATE BINARY DESC)",
                "CREATE UNIQUE INDEX Z_E_UNIQUE_a ON ZE (ZA COLLATE BINARY ASC)",
                "CREATE UNIQUE INDEX Z_E_UNIQUE_a_b ON ZE (ZA COLLATE BINARY ASC, "
                    + "ZB COLLATE BINARY ASC)",
            ], "ZA VARCHAR, ZB VARCHAR )"
        ),
        (
            754,
            ["CREATE INDEX ZE_ZB_INDEX ON ZE (ZB)", "CREATE INDEX ZE_ZA_ZB ON ZE (ZA, ZB)"],
            "ZA VARCHAR UNIQUE, ZB VARCHAR, CONSTRAINT ZA_ZB UNIQUE (ZA, ZB))"
        ),
    ])
    func `indexes and constraints follow the framework's version`(
        version: Int,
        indexes: [String],
        tail: String
    ) {
        var entity = Entity(
            name: "E",
            attributes: [
                Attribute("a", .string), Attribute(name: "b", type: .string, isIndexed: true),
            ],
            fetchIndexes: [
                FetchIndex(name: "down", elements: [.init(.property("a"), isAscending: false)])
            ],
            uniquenessConstraints: [
                UniquenessConstraint(properties: ["a"]),
                UniquenessConstraint(properties: ["a", "b"]),
            ]
        )
        entity.compoundIndexes = [["a", "b"]]
        let options = LayoutOptions(frameworkVersion: version)
        let layout = StoreLayout(model: ManagedObjectModel([entity]), options: options)
        #expect(layout.indexes.map(\.sql) == indexes)
        #expect(layout.tables[0].createSQL.hasSuffix(tail))
    }

    @Test func `an index of SwiftData stands alone`() {
        let entity = Entity(
            "E",
            [Attribute("a", .string), Attribute("b", .string)],
            fetchIndexes: [
                FetchIndex(name: "SwiftDataIndexOnBinarya", elements: [.init(.property("a"))]),
                FetchIndex(name: "byB", elements: [.init(.property("b"))]),
            ]
        )
        let layout = StoreLayout(model: ManagedObjectModel([entity]))
        #expect(
            layout.indexes.map(\.name)
                == ["Z_E_b", "Z_E_SwiftDataIndexOnBinarya", "Z_E_byB"]
        )
    }

    @Test func `fetch indexes and derivations of unknown form are named and left out`() {
        let entity = Entity(
            "E",
            [
                Attribute("a", .string),
                Attribute(
                    "up",
                    .string,
                    derivation: Attribute.Derivation(expression: "uppercase:(a)")
                ),
            ],
            fetchIndexes: [
                FetchIndex(name: "space", elements: [.init(.property("a"), collation: .rTree)]),
                FetchIndex(
                    name: "part",
                    elements: [.init(.property("a"))],
                    partialIndexPredicate: "a LIKE 'x*'"
                ),
            ]
        )
        let layout = StoreLayout(model: ManagedObjectModel([entity]))
        #expect(layout.indexes == [])
        #expect(layout.triggers == [])
        #expect(layout.unknownIndexes.map(\.description) == ["E.space", "E.part"])
        #expect(layout.unknownDerivations.map(\.description) == ["E.up"])
    }

    @Test(
        arguments: [("", 0), ("a", 1062), ("ab", 785_625)] as [(String, UInt64)]
    )
    func `short strings have the hash that their units give`(text: String, hash: UInt64) {
        #expect(HashOrder.stringHash(text) == hash)
    }

    @Test func `long strings are hashed by their beginning, middle and end`() {
        let text = String(repeating: "abcdefghij", count: 20)
        var changed = Array(text)
        changed[40] = "X"
        #expect(HashOrder.stringHash(text) == HashOrder.stringHash(String(changed)))
        changed[100] = "X"
        #expect(HashOrder.stringHash(text) != HashOrder.stringHash(String(changed)))
    }
}

extension ManagedObjectModel {
    static func friends(_ inverses: [String: String]) -> ManagedObjectModel {
        let relationships = inverses.keys.sorted().map { name in
            Relationship.many(name, "P", inverses[name])
        }
        return ManagedObjectModel([Entity("P", relationships: relationships)])
    }
}

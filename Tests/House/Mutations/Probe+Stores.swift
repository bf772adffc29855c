/// Probes of stores that are damaged, and of what repair makes of them.
extension Probe {
    static let repairs = [
        links, questions, entities, values, keys, pruning, triggers, duplicates, metadata,
    ]

    /// A hierarchy with an abstract root, a list, a required link, and links to a root with a sub-entity.
    private static let zooModel = model(
        """
        <entity name='Animal' isAbstract='YES'><attribute name='name' attributeType='String'/></entity>
        <entity name='Cat' parentEntity='Animal'>
        <attribute name='lives' optional='YES' attributeType='Integer 16'/></entity>
        <entity name='Dog' parentEntity='Animal'>
        <attribute name='bark' optional='YES' attributeType='String'/></entity>
        <entity name='Box'><relationship name='items' optional='YES' toMany='YES' ordered='YES'
        destinationEntity='Item' inverseName='box' inverseEntity='Item'/></entity>
        <entity name='Item'><attribute name='size' optional='YES' attributeType='Integer 16'/>
        <relationship name='box' maxCount='1' destinationEntity='Box' inverseName='items'
        inverseEntity='Box'/></entity>
        <entity name='Passport'><relationship name='person' optional='YES' maxCount='1'
        destinationEntity='Person' inverseName='passport' inverseEntity='Person'/></entity>
        <entity name='Person'><relationship name='passport' optional='YES' maxCount='1'
        destinationEntity='Passport' inverseName='person' inverseEntity='Passport'/></entity>
        <entity name='Worker' parentEntity='Person'/>
        """
    )

    private static let zooRows = """
        {"Box": [{"@id": "p1", "items": ["Item/p1", "Item/p2", "Item/p3"]}],
        "Cat": [{"@id": "p1", "name": "Tom", "lives": 9}, {"@id": "p2", "name": "Kit"}],
        "Dog": [{"@id": "p3", "name": "Rex", "bark": "wau"}],
        "Item": [{"@id": "p1", "size": 1}, {"@id": "p2", "size": 2}, {"@id": "p3", "size": 3}],
        "Passport": [{"@id": "p1", "person": "Person/p1"}, {"@id": "p2", "person": "Worker/p2"}],
        "Person": [{"@id": "p1"}], "Worker": [{"@id": "p2"}]}
        """

    /// The model of another app.
    private static let thingModel = model(
        """
        <entity name='Thing'><attribute name='code' optional='YES' attributeType='String'/>
        <uniquenessConstraints><uniquenessConstraint><constraint value='code'/>
        </uniquenessConstraint></uniquenessConstraints></entity>
        """
    )

    /// A probe of `S.sqlite`, a store with persistent history and rows of all entities.
    static func zoo(_ name: String, _ runs: [Run]) -> Probe {
        let create = "create S.sqlite --model Zoo.xcdatamodel --rows rows.json --history"
        return Probe(
            name,
            files: [
                "Zoo.xcdatamodel/contents": zooModel, "rows.json": zooRows,
                "Other.xcdatamodel/contents": thingModel,
            ],
            [Run(create)] + runs
        )
    }

    /// Links of which one side knows enough.
    private static let links = zoo(
        "repair-restores-links",
        [
            Run(
                sql: "UPDATE ZPASSPORT SET ZPERSON = 77 WHERE Z_PK = 1",
                "UPDATE ZPASSPORT SET Z7_PERSON = 7 WHERE Z_PK = 2",
                "UPDATE ZITEM SET Z_FOK_BOX = CASE Z_PK WHEN 1 THEN 4096 ELSE 2048 END",
                on: "S.sqlite"
            ),
            Run(
                "repair S.sqlite -o R.sqlite",
                says: [
                    "write 1 link of 'Passport.person' that 'Person.passport' knows",
                    "write the entity of 1 destination of 'Passport.person'",
                    "number the rows of 'Item.box' again, in their old order",
                ]
            ),
            Run(
                sql: "SELECT Z_PK, ZPERSON, Z7_PERSON FROM ZPASSPORT ORDER BY Z_PK",
                "SELECT Z_PK, Z_FOK_BOX FROM ZITEM ORDER BY Z_FOK_BOX",
                on: "R.sqlite",
                says: ["1|1|7\n2|2|8\n2|2048\n3|3072\n1|4096"]
            ),
        ]
    )

    /// What only somebody else can say.
    private static let questions = zoo(
        "repair-asks-for-what-it-cannot-know",
        [
            Run(
                sql: "UPDATE ZITEM SET ZBOX = 9 WHERE Z_PK = 2",
                "UPDATE ZANIMAL SET ZNAME = NULL WHERE Z_PK = 3",
                on: "S.sqlite"
            ),
            Run(
                "repair S.sqlite --clear-links -o R.sqlite",
                status: 3,
                says: [
                    "1 link of 'Item.box' leads to no object, and it is required (p2)",
                    "--set 'Animal.name=<VALUE>'",
                ]
            ),
            Run(sql: "DROP TABLE ZITEM", on: "S.sqlite"),
            Run(
                "repair S.sqlite",
                status: 3,
                says: ["the table ZITEM is missing, and up to 3 objects with it"]
            ),
        ]
    )

    /// Rows of no entity, and entities whose numbers and parents are wrong.
    private static let entities = zoo(
        "repair-finds-the-entities-of-rows",
        [
            Run(
                sql: "UPDATE ZANIMAL SET Z_ENT = 99 WHERE Z_PK > 1",
                "INSERT INTO ACHANGE (Z_PK, Z_ENT, ZENTITY, ZENTITYPK) VALUES (1, 16001, 2, 2)",
                "UPDATE Z_PRIMARYKEY SET Z_SUPER = 0 WHERE Z_NAME = 'Cat'",
                on: "S.sqlite"
            ),
            Run(
                "repair S.sqlite -o R.sqlite",
                says: [
                    "give 2 rows of ZANIMAL the only possible entity",
                    "write the parent of 'Cat', which is 1",
                ]
            ),
            Run(
                sql: "SELECT Z_PK, Z_ENT FROM ZANIMAL ORDER BY Z_PK",
                "UPDATE Z_PRIMARYKEY SET Z_NAME = CASE Z_ENT WHEN 2 THEN 'Dog' ELSE 'Cat' END "
                    + "WHERE Z_ENT IN (2, 3)",
                on: "R.sqlite",
                says: ["1|2\n2|2\n3|3"]
            ),
            Run("repair R.sqlite", status: 3, says: ["number 2 of 'Cat' belongs to 'Dog'"]),
        ]
    )

    /// Values that are missing, and values of another type.
    private static let values = zoo(
        "repair-takes-the-values-it-is-given",
        [
            Run(
                sql: "UPDATE ZITEM SET ZSIZE = '12abc' WHERE Z_PK = 2",
                "UPDATE ZANIMAL SET ZNAME = NULL WHERE Z_PK = 3",
                on: "S.sqlite"
            ),
            Run(
                "repair S.sqlite --convert --set Animal.name=Bo",
                status: 3,
                says: ["1 value of 'Item.size' (p2) is no Integer 16"]
            ),
            Run("repair S.sqlite --set Item.size=5 --set Animal.name=Bo -o R.sqlite"),
            Run(
                sql: "SELECT ZNAME FROM ZANIMAL ORDER BY Z_PK",
                "SELECT ZSIZE FROM ZITEM ORDER BY Z_PK",
                on: "R.sqlite",
                says: ["Tom\nKit\nBo\n1\n5\n3"]
            ),
        ]
    )

    /// Keys that were handed out, as history, CloudKit's tables and links tell.
    private static let keys = zoo(
        "repair-raises-the-greatest-keys",
        [
            Run(
                sql:
                    "INSERT INTO ACHANGE (Z_PK, Z_ENT, ZENTITY, ZENTITYPK) VALUES (1, 16001, 2, 9)",
                "INSERT INTO ATRANSACTION (Z_PK, Z_ENT) VALUES (4, 16002)",
                "CREATE TABLE ANSCKRECORDMETADATA "
                    + "(Z_PK INTEGER PRIMARY KEY, ZENTITYID INTEGER, ZENTITYPK INTEGER)",
                "INSERT INTO ANSCKRECORDMETADATA VALUES (1, 5, 7)",
                "DELETE FROM ZPERSON WHERE Z_PK = 2",
                "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Person'",
                on: "S.sqlite"
            ),
            Run(
                "repair S.sqlite",
                status: 3,
                says: [
                    "raise Z_MAX of 'Animal' from 3 to 9",
                    "raise Z_MAX of 'TRANSACTION' from 0 to 4",
                    "raise Z_MAX of 'Item' from 3 to 7", "raise Z_MAX of 'Person' from 1 to 2",
                ]
            ),
        ]
    )

    /// History of 2001, and history that is to come.
    private static let pruning = zoo(
        "repair-prunes-old-history",
        [
            Run(
                sql: "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP) "
                    + "VALUES (1, 16002, 0), (2, 16002, 99999999999)",
                "INSERT INTO ACHANGE (Z_PK, Z_ENT, ZENTITY, ZENTITYPK, ZTRANSACTIONID) "
                    + "VALUES (3, 16001, 2, 2, 1), (4, 16001, 2, 2, 2)",
                on: "S.sqlite"
            ),
            Run(
                "repair S.sqlite --prune-history 30 -o R.sqlite",
                says: ["remove 1 old change from the history"]
            ),
            Run(
                sql: "SELECT 'left', group_concat(Z_PK) FROM ATRANSACTION",
                "SELECT 'left', group_concat(Z_PK) FROM ACHANGE",
                on: "R.sqlite",
                says: ["left|2\nleft|4"]
            ),
        ]
    )

    /// A trigger that Core Data does not know.
    private static let triggers = zoo(
        "repair-keeps-the-triggers-of-others",
        [
            Run(
                sql: "CREATE TRIGGER own AFTER UPDATE ON ZBOX BEGIN SELECT 1; END",
                "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Item'",
                on: "S.sqlite"
            ),
            Run("repair S.sqlite -o R.sqlite", says: ["put own back"]),
            Run(
                sql: "SELECT name FROM sqlite_master WHERE type = 'trigger'",
                on: "R.sqlite",
                says: ["own"]
            ),
        ]
    )

    /// Rows that an index would keep apart, if it were there.
    private static let duplicates = zoo(
        "repair-leaves-equal-values-alone",
        [
            Run("create T.sqlite --model Other.xcdatamodel"),
            Run(
                sql: "DROP INDEX Z_Thing_UNIQUE_code",
                "INSERT INTO ZTHING (Z_PK, Z_ENT, Z_OPT, ZCODE) VALUES (1, 1, 1, 'x'), (2, 1, 1, 'x')",
                on: "T.sqlite"
            ),
            Run("repair T.sqlite", status: 3, says: ["rows have equal values"]),
        ]
    )

    /// Metadata that cannot be read.
    private static let metadata = zoo(
        "repair-writes-metadata-that-fit",
        [
            Run(sql: "UPDATE Z_METADATA SET Z_PLIST = x'00'", on: "S.sqlite"),
            Run(
                "repair S.sqlite --model Other.xcdatamodel",
                status: 3,
                says: ["this one does not fit: ZTHING is missing"]
            ),
            Run(
                "repair S.sqlite --model Zoo.xcdatamodel -o R.sqlite",
                says: ["write the row of Z_METADATA"]
            ),
            Run("verify R.sqlite"),
        ]
    )
}

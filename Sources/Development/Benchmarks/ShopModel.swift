import Foundation

/// The model for migrations: companies and their staff, some of whom are students.
///
/// Four versions: `V` is the store's; `A` adds an attribute, `B` rebuilds the table of people, `C` converts an
/// attribute.
enum ShopModel {
    /// A change, and the best statements that a person would write for it by hand.
    struct Change: Sendable {
        var version: String
        var name: String
        var person: [String]
        var statements: [String]
    }

    static let changes = [
        Change(
            version: "A",
            name: "add an attribute with a default",
            person: people + [attribute("score", "Integer 64", "defaultValueString='7'")],
            statements: [
                "ALTER TABLE ZPERSON ADD COLUMN ZSCORE INTEGER", "UPDATE ZPERSON SET ZSCORE = 7",
            ]
        ),
        Change(
            version: "B",
            name: "remove one, rename one, add one",
            person: [people[0], people[2]] + [
                attribute("town", "String", "optional='YES' elementID='city'"),
                attribute("rating", "Double", "defaultValueString='1'"),
            ],
            statements: [
                "ALTER TABLE ZPERSON RENAME COLUMN ZCITY TO ZTOWN",
                "ALTER TABLE ZPERSON DROP COLUMN ZNOTE",
                "ALTER TABLE ZPERSON ADD COLUMN ZRATING FLOAT", "UPDATE ZPERSON SET ZRATING = 1",
            ]
        ),
        Change(
            version: "C",
            name: "convert an integer to a double",
            person: [attribute("age", "Double", "optional='YES'")] + people.dropFirst(),
            statements: [
                "DROP INDEX Z_Person_byNameAndAge", "ALTER TABLE ZPERSON ADD COLUMN ZAGE2 FLOAT",
                "UPDATE ZPERSON SET ZAGE2 = ZAGE", "ALTER TABLE ZPERSON DROP COLUMN ZAGE",
                "ALTER TABLE ZPERSON RENAME COLUMN ZAGE2 TO ZAGE", index,
            ]
        ),
    ]

    private static let people = [
        attribute("age", "Integer 32"), attribute("city"), attribute("name"), attribute("note"),
    ]

    private static let index =
        "CREATE INDEX Z_Person_byNameAndAge ON ZPERSON (ZNAME COLLATE BINARY ASC, ZAGE COLLATE BINARY ASC)"

    private static func attribute(
        _ name: String,
        _ type: String = "String",
        _ rest: String = "optional='YES'"
    ) -> String { "<attribute name='\(name)' attributeType='\(type)' \(rest)/>" }

    static func write(_ bench: Bench) throws -> String {
        try bench.write(text(people), to: "Shop.xcdatamodeld/V.xcdatamodel/contents")
        for change in changes {
            let name = "Shop.xcdatamodeld/\(change.version).xcdatamodel/contents"
            try bench.write(text(change.person), to: name)
        }
        try bench.write(
            """
            <?xml version="1.0"?><plist version="1.0"><dict><key>_XCCurrentVersionName</key>\
            <string>A.xcdatamodel</string></dict></plist>
            """,
            to: "Shop.xcdatamodeld/.xccurrentversion"
        )
        return bench.path("Shop.xcdatamodeld")
    }

    private static func text(_ person: [String]) -> String {
        """
        <model><entity name='Company'>\(attribute("name"))<relationship name='staff' optional='YES' \
        toMany='YES' deletionRule='Nullify' destinationEntity='Person' inverseName='employer' \
        inverseEntity='Person'/></entity>
        <entity name='Person'>\(person.joined())<relationship name='employer' optional='YES' \
        maxCount='1' deletionRule='Nullify' destinationEntity='Company' inverseName='staff' \
        inverseEntity='Company'/><fetchIndex name='byNameAndAge'>\
        <fetchIndexElement property='name' type='Binary' order='ascending'/>\
        <fetchIndexElement property='age' type='Binary' order='ascending'/></fetchIndex></entity>
        <entity name='Student' parentEntity='Person'>\(attribute("school"))</entity></model>
        """
    }

    /// The statements that fill an empty store of the first version, with persistent history.
    static func filling(rows: Int) -> String {
        let companies = max(1, rows / 1000)
        let transactions = (rows + 99) / 100
        func numbers(_ count: Int) -> String {
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) "
        }
        return [
            "PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", "BEGIN IMMEDIATE",
            numbers(companies) + "INSERT INTO ZCOMPANY (Z_PK, Z_ENT, Z_OPT, ZNAME) "
                + "SELECT i, 1, 1, 'Company ' || i FROM n",
            numbers(rows) + "INSERT INTO ZPERSON "
                + "(Z_PK, Z_ENT, Z_OPT, ZAGE, ZEMPLOYER, ZCITY, ZNAME, ZNOTE, ZSCHOOL) "
                + "SELECT i, CASE WHEN i % 10 THEN 2 ELSE 3 END, 1, i % 90, 1 + i * 7919 % \(companies), "
                + "'City ' || (i % 500), 'Person ' || i, 'A note about ' || i, "
                + "CASE WHEN i % 10 = 0 THEN 'School ' || (i % 100) END FROM n",
            "INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) VALUES (1, 16003, 'Shop')",
            numbers(transactions)
                + "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZBUNDLEIDTS, ZTIMESTAMP) "
                + "SELECT i, 16002, 1, 700000000 + i * 60.5 FROM n",
            "INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID) "
                + "SELECT Z_PK, 16001, 0, Z_ENT, Z_PK, (Z_PK + 99) / 100 FROM ZPERSON ORDER BY Z_PK",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = \(companies) WHERE Z_ENT = 1",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = \(rows) WHERE Z_ENT IN (2, 16001)",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = \(transactions) WHERE Z_ENT = 16002",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_ENT = 16003", "COMMIT",
            "PRAGMA journal_mode = WAL;",
        ].joined(separator: ";\n")
    }

    static func makeStore(_ bench: Bench, bundle: String, rows: Int) throws -> String {
        let store = bench.path("Original-\(rows).sqlite")
        let empty = try bench.write("{}", to: "Rows.json")
        try MeasuredCommand.momtool(
            "create",
            store,
            "--model",
            bundle + "#V",
            "--rows",
            empty,
            "--history"
        ).run()
        let script = try bench.write(filling(rows: rows), to: "Fill.sql")
        try MeasuredCommand.shell(script, on: store).run()
        return store
    }
}

func remove(_ store: String) {
    for suffix in ["", "-wal", "-shm", "-journal"] {
        try? FileManager.default.removeItem(atPath: store + suffix)
    }
}

/// Replaces a store with a fresh copy, on disk: the measurement must not include the copy.
func restore(_ store: String, from original: String) throws {
    remove(store)
    try FileManager.default.copyItem(atPath: original, toPath: store)
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: store))
    try file.synchronize()
    try file.close()
}

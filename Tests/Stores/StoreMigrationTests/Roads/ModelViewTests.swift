import Diagnostics
import Foundation
import MigrationPlanning
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import Testing
import TestSupport

struct ModelViewTests {
    private static func link(
        _ name: String,
        _ destination: String,
        _ inverse: String?,
        isToMany: Bool = false,
        isOrdered: Bool = false
    ) -> Relationship {
        Relationship(
            name: name,
            isToMany: isToMany,
            isOrdered: isOrdered,
            maxCount: isToMany ? nil : 1,
            destinationEntity: destination,
            inverseName: inverse,
            inverseEntity: inverse == nil ? nil : destination
        )
    }

    private static let model = ManagedObjectModel(entities: [
        Entity(
            name: "Person",
            attributes: [
                Attribute(name: "name", type: .string),
                Attribute(name: "group", type: .string),
                Attribute(
                    name: "rank",
                    type: .integer32,
                    isOptional: false,
                    defaultValue: .integer(7)
                ),
                Attribute(name: "text", type: .string),
            ],
            relationships: [
                link("home", "House", "people"), link("passport", "Passport", "owner"),
                link("friends", "Person", "friendOf", isToMany: true, isOrdered: true),
                link("friendOf", "Person", "friends", isToMany: true),
                link("notes", "Note", nil, isToMany: true, isOrdered: true),
            ]
        ),
        Entity(
            name: "Employee",
            parentEntity: "Person",
            attributes: [Attribute(name: "salary", type: .double)]
        ),
        Entity(
            name: "House",
            attributes: [Attribute(name: "street", type: .string)],
            relationships: [link("people", "Person", "home", isToMany: true, isOrdered: true)]
        ),
        Entity(
            name: "Passport",
            attributes: [Attribute(name: "number", type: .string)],
            relationships: [link("owner", "Person", "passport")]
        ),
        Entity(name: "Note", attributes: [Attribute(name: "body", type: .string)]),
        Entity(
            name: "Shape",
            isAbstract: true,
            attributes: [Attribute(name: "color", type: .string)]
        ),
    ])

    private static let start = """
        INSERT INTO House (street) VALUES ('Elm'), ('Oak');
        INSERT INTO Passport (number) VALUES ('A'), ('B');
        INSERT INTO Note (body) VALUES ('one'), ('two');
        INSERT INTO Person (name, home, passport) VALUES ('Ada', 1, 1), ('Bob', 1, NULL);
        INSERT INTO Employee (name, salary, home) VALUES ('Eve', 5.5, 1);
        INSERT INTO Person_friends (source, destination) VALUES (1, 3), (1, 2);
        INSERT INTO Person_notes (source, destination) VALUES (1, 2), (1, 1);
        """

    struct Case: Sendable {
        var script: String
        var query: String
        var rows: [String]
    }

    static let cases = [
        Case(
            script: "",
            query: "SELECT Z_PK, Z_ENT, Z_OPT, ZNAME, ZRANK FROM ZPERSON",
            rows: ["1|4|1|Ada|7", "2|4|1|Bob|7", "3|5|1|Eve|7"]
        ),
        Case(
            script: "UPDATE Person SET name = upper(name), rank = rank + 1 WHERE rank = 7",
            query: "SELECT ZNAME, ZRANK, Z_OPT FROM ZPERSON",
            rows: ["ADA|8|2", "BOB|8|2", "EVE|8|2"]
        ),
        Case(
            script: "UPDATE Employee SET name = 'x'",
            query: "SELECT ZNAME, Z_OPT FROM ZPERSON",
            rows: ["Ada|1", "Bob|1", "x|2"]
        ),
        Case(
            script: "UPDATE Person SET name = (SELECT count(*) FROM Person_friends "
                + "WHERE source = objectID)",
            query: "SELECT ZNAME, Z_OPT FROM ZPERSON",
            rows: ["2|2", "0|2", "0|2"]
        ),
        Case(
            script: "UPDATE Person SET \"group\" = name, text = CAST(rank AS text)",
            query: "SELECT ZGROUP, ZTEXT, typeof(ZTEXT) FROM ZPERSON",
            rows: ["Ada|7|text", "Bob|7|text", "Eve|7|text"]
        ),
        Case(
            script:
                "UPDATE Person SET name = NULL -- nobody; has a name\n WHERE /* ; */ name = 'Bob'",
            query: "SELECT ZNAME FROM ZPERSON",
            rows: ["Ada", "-", "Eve"]
        ),
        Case(
            script: "UPDATE Person SET home = 2 WHERE name IN ('Ada', 'Eve')",
            query: "SELECT ZHOME, Z_FOK_HOME FROM ZPERSON ORDER BY Z_PK",
            rows: ["2|2048", "1|3072", "2|3072"]
        ),
        Case(
            script: "UPDATE Person SET passport = 1 WHERE name = 'Bob'",
            query: "SELECT p.ZPASSPORT, q.ZOWNER FROM ZPERSON AS p "
                + "LEFT JOIN ZPASSPORT AS q ON q.ZOWNER = p.Z_PK ORDER BY p.Z_PK",
            rows: ["-|-", "1|2", "-|-"]
        ),
        Case(
            script: "DELETE FROM Person WHERE name = 'Ada'",
            query: "SELECT (SELECT count(*) FROM ZPERSON), (SELECT count(ZOWNER) FROM ZPASSPORT), "
                + "(SELECT count(*) FROM Z_4FRIENDS)",
            rows: ["2|0|0"]
        ),
        Case(
            script: "DELETE FROM House WHERE street = 'Elm'",
            query: "SELECT count(ZHOME), count(Z_FOK_HOME) FROM ZPERSON",
            rows: ["0|0"]
        ),
        Case(
            script: "DELETE FROM House_people WHERE destination = 2",
            query: "SELECT ZHOME, Z_FOK_HOME FROM ZPERSON ORDER BY Z_PK",
            rows: ["1|2048", "-|-", "1|4096"]
        ),
        Case(
            script: "UPDATE House_people SET position = 9999 WHERE destination = 1",
            query: "SELECT ZNAME FROM ZPERSON ORDER BY Z_FOK_HOME",
            rows: ["Bob", "Eve", "Ada"]
        ),
        Case(
            script: "INSERT INTO Person (entity, name) VALUES ('Employee', 'Kim')",
            query: "SELECT Z_ENT, ZNAME FROM ZPERSON WHERE Z_PK = 4",
            rows: ["5|Kim"]
        ),
        Case(
            script: "INSERT INTO Person (objectID, name) VALUES (40, 'Kim'), (NULL, 'Lee')",
            query: "SELECT Z_PK FROM ZPERSON UNION SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 4",
            rows: ["1", "2", "3", "40", "41"]
        ),
        Case(
            script: "UPDATE Note SET body = iso8601(date('2001-01-02T00:00:00Z')) || '|' || "
                + "regexp_replace('a-b', '-', '+') || '|' || split_rest('x y z', ' ', 1)",
            query: "SELECT DISTINCT ZBODY FROM ZNOTE",
            rows: ["2001-01-02T00:00:00Z|a+b|y z"]
        ),
        Case(
            script:
                "UPDATE Note SET body = hex(split('a' || char(13, 10) || 'b', char(10), 0)) || '|' "
                + "|| split_rest('a' || char(13, 10) || 'b' || char(13, 10) || 'c', char(13, 10), 2)",
            query: "SELECT DISTINCT ZBODY FROM ZNOTE",
            rows: ["610D|c"]
        ),
        Case(
            script: "UPDATE Note SET body = iso8601(730902600.123456) || '|' || "
                + "date('2024-02-29T16:30:00.123456+0200') || '|' || iso8601(-0.25) || '|' || "
                + "COALESCE(iso8601(1e12), 'no year')",
            query: "SELECT DISTINCT ZBODY FROM ZNOTE",
            rows: [
                "2024-02-29T12:30:00.123456Z|730909800.123456|2000-12-31T23:59:59.75Z|no year"
            ]
        ),
    ]

    private func run(_ script: String, at path: String) throws {
        var next = Self.model
        next.entities[2].attributes.append(Attribute(name: "city", type: .string))
        let stage = CustomMigrationStage(
            migratingFrom: ManagedObjectModelReference(model: Self.model, name: "1"),
            to: ManagedObjectModelReference(model: next, name: "2")
        )
        let migration = try Migration(
            of: StoreFile(path: path),
            by: StagedMigrationManager([.custom(stage)]),
            works: [0: CustomStageWork(willMigrate: .script(script, path: "s.sql"))]
        )
        try migration.runInPlace(path: path)
        let findings = try verify(StoreFile(path: path), against: next)
        #expect(findings.map(\.description) == [], "\(script)")
    }

    @Test(arguments: cases.indices)
    func `a script reads and writes objects as the model has them`(index: Int) throws {
        let item = Self.cases[index]
        try withFolder { folder in
            let path = folder.appending(path: "Store.sqlite").path
            try createStore(at: path, model: Self.model)
            try run(Self.start + item.script, at: path)
            let rows = try StoreFile(path: path).connection.rows(item.query).map { row in
                row.map { value -> String in
                    switch value {
                    case .integer(let number): String(number)
                    case .text(let text): text
                    case .real(let number): String(number)
                    case .null, .blob: "-"
                    }
                }.joined(separator: "|")
            }
            #expect(rows == item.rows, "\(item.script)")
        }
    }

    @Test func `an abstract entity gets no objects`() throws {
        try withFolder { folder in
            let path = folder.appending(path: "Store.sqlite").path
            try createStore(at: path, model: Self.model)
            #expect(throws: StoreMigrationError.self) {
                try run("INSERT INTO Shape (color) VALUES ('red')", at: path)
            }
        }
    }
}

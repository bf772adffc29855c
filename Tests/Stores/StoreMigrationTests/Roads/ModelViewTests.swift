import Diagnostics
import Foundation
import MigrationPlanning
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct ModelViewTests {
    private static let model: ManagedObjectModel = {
        var model = modelOf(
            "Person: name group rank:integer32! text home>House.people passport>Passport.owner "
                + "friends>>>Person.friendOf friendOf>>Person.friends notes>>>Note",
            "Employee/Person: salary:double",
            "House: street people>>>Person.home",
            "Passport: number owner>Person.passport",
            "Note: body",
            "*Shape: color"
        )
        model.entities[0].attributes[2].defaultValue = .integer(7)
        return model
    }()

    private static let start = """
        INSERT INTO House (street) VALUES ('Elm'), ('Oak');
        INSERT INTO Passport (number) VALUES ('A'), ('B');
        INSERT INTO Note (body) VALUES ('one'), ('two');
        INSERT INTO Person (name, home, passport) VALUES ('Ada', 1, 1), ('Bob', 1, NULL);
        INSERT INTO Employee (name, salary, home) VALUES ('Eve', 5.5, 1);
        INSERT INTO Person_friends (source, destination) VALUES (1, 3), (1, 2);
        INSERT INTO Person_notes (source, destination) VALUES (1, 2), (1, 1);
        """

    typealias Case = (script: String, query: String, rows: [String])

    static let cases: [Case] = [
        (
            "", "SELECT Z_PK, Z_ENT, Z_OPT, ZNAME, ZRANK FROM ZPERSON",
            ["1|4|1|Ada|7", "2|4|1|Bob|7", "3|5|1|Eve|7"]
        ),
        (
            "UPDATE Person SET name = upper(name), rank = rank + 1 WHERE rank = 7",
            "SELECT ZNAME, ZRANK, Z_OPT FROM ZPERSON", ["ADA|8|2", "BOB|8|2", "EVE|8|2"]
        ),
        (
            "UPDATE Employee SET name = 'x'", "SELECT ZNAME, Z_OPT FROM ZPERSON",
            ["Ada|1", "Bob|1", "x|2"]
        ),
        (
            "UPDATE Person SET name = (SELECT count(*) FROM Person_friends "
                + "WHERE source = objectID)",
            "SELECT ZNAME, Z_OPT FROM ZPERSON", ["2|2", "0|2", "0|2"]
        ),
        (
            "UPDATE Person SET \"group\" = name, text = CAST(rank AS text)",
            "SELECT ZGROUP, ZTEXT, typeof(ZTEXT) FROM ZPERSON",
            ["Ada|7|text", "Bob|7|text", "Eve|7|text"]
        ),
        (
            "UPDATE Person SET name = NULL -- nobody; has a name\n WHERE /* ; */ name = 'Bob'",
            "SELECT ZNAME FROM ZPERSON", ["Ada", "-", "Eve"]
        ),
        (
            "UPDATE Person SET home = 2 WHERE name IN ('Ada', 'Eve')",
            "SELECT ZHOME, Z_FOK_HOME FROM ZPERSON ORDER BY Z_PK", ["2|2048", "1|3072", "2|3072"]
        ),
        (
            "UPDATE Person SET passport = 1 WHERE name = 'Bob'",
            "SELECT p.ZPASSPORT, q.ZOWNER FROM ZPERSON AS p "
                + "LEFT JOIN ZPASSPORT AS q ON q.ZOWNER = p.Z_PK ORDER BY p.Z_PK",
            ["-|-", "1|2", "-|-"]
        ),
        (
            "DELETE FROM Person WHERE name = 'Ada'",
            "SELECT (SELECT count(*) FROM ZPERSON), (SELECT count(ZOWNER) FROM ZPASSPORT), "
                + "(SELECT count(*) FROM Z_4FRIENDS)",
            ["2|0|0"]
        ),
        (
            "DELETE FROM House WHERE street = 'Elm'",
            "SELECT count(ZHOME), count(Z_FOK_HOME) FROM ZPERSON", ["0|0"]
        ),
        (
            "DELETE FROM House_people WHERE destination = 2",
            "SELECT ZHOME, Z_FOK_HOME FROM ZPERSON ORDER BY Z_PK", ["1|2048", "-|-", "1|4096"]
        ),
        (
            "UPDATE House_people SET position = 9999 WHERE destination = 1",
            "SELECT ZNAME FROM ZPERSON ORDER BY Z_FOK_HOME", ["Bob", "Eve", "Ada"]
        ),
        (
            "INSERT INTO Person (entity, name) VALUES ('Employee', 'Kim')",
            "SELECT Z_ENT, ZNAME FROM ZPERSON WHERE Z_PK = 4", ["5|Kim"]
        ),
        (
            "INSERT INTO Person (objectID, name) VALUES (40, 'Kim'), (NULL, 'Lee')",
            "SELECT Z_PK FROM ZPERSON UNION SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 4",
            ["1", "2", "3", "40", "41"]
        ),
        (
            "UPDATE Note SET body = iso8601(date('2001-01-02T00:00:00Z')) || '|' || "
                + "regexp_replace('a-b', '-', '+') || '|' || split_rest('x y z', ' ', 1)",
            "SELECT DISTINCT ZBODY FROM ZNOTE", ["2001-01-02T00:00:00Z|a+b|y z"]
        ),
        (
            "UPDATE Note SET body = hex(split('a' || char(13, 10) || 'b', char(10), 0)) || '|' "
                + "|| split_rest('a' || char(13, 10) || 'b' || char(13, 10) || 'c', char(13, 10), 2)",
            "SELECT DISTINCT ZBODY FROM ZNOTE", ["610D|c"]
        ),
        (
            "UPDATE Note SET body = iso8601(730902600.123456) || '|' || "
                + "date('2024-02-29T16:30:00.123456+0200') || '|' || iso8601(-0.25) || '|' || "
                + "COALESCE(iso8601(1e12), 'no year')",
            "SELECT DISTINCT ZBODY FROM ZNOTE",
            ["2024-02-29T12:30:00.123456Z|730909800.123456|2000-12-31T23:59:59.75Z|no year"]
        ),
    ]

    private func run(_ script: String, on store: TestStore) throws {
        var next = Self.model
        next.entities[2].attributes.append(attributeOf("city"))
        let options = MigrationOptions()
        try store.migrate(to: next, by: .before(script), MigrationPolicies(), options)
        #expect(try store.findings(next).map(\.description) == [], "\(script)")
    }

    @Test(arguments: cases.indices)
    func `a script reads and writes objects as the model has them`(index: Int) throws {
        let item = Self.cases[index]
        try withStore(Self.model) { store in
            try run(Self.start + item.script, on: store)
            #expect(try store.texts(item.query) == item.rows, "\(item.script)")
        }
    }

    @Test func `an abstract entity gets no objects`() throws {
        try withStore(Self.model) { store in
            #expect(throws: StoreMigrationError.self) {
                try run("INSERT INTO Shape (color) VALUES ('red')", on: store)
            }
        }
    }
}

import Diagnostics
import Foundation
import MigrationPlanning
import ObjectModel
import RowExchange
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
            "UPDATE Person SET name = (SELECT count(*) FROM Person_friends WHERE source = objectID)",
            "SELECT ZNAME, Z_OPT FROM ZPERSON", ["2|2", "0|2", "0|2"]
        ),
        (
            "UPDATE Person SET \"group\" = name, text = CAST(rank AS text)",
            "SELECT ZGROUP, ZTEXT, typeof(ZTEXT) FROM ZPERSON",
            ["Ada|7|text", "Bob|7|text", "Eve|7|text"]
        ),
        (
            "UPDATE Person SET name = NULL -- nobody; is named\n WHERE /* ; */ name = 'Bob'",
            "SELECT ZNAME FROM ZPERSON", ["Ada", "-", "Eve"]
        ),
        (
            "UPDATE Person SET home = 2 WHERE name IN ('Ada', 'Eve')",
            "SELECT ZHOME, Z_FOK_HOME FROM ZPERSON ORDER BY Z_PK", ["2|2048", "1|3072", "2|3072"]
        ),
        (
            "UPDATE Person SET passport = 1 WHERE name = 'Bob'",
            "SELECT p.ZPASSPORT, q.ZOWNER FROM ZPERSON AS p LEFT JOIN ZPASSPORT AS q ON q.ZOWNER = p.Z_PK ORDER BY p.Z_PK",
            ["-|-", "1|2", "-|-"]
        ),
        (
            "DELETE FROM Person WHERE name = 'Ada'",
            "SELECT (SELECT count(*) FROM ZPERSON), (SELECT count(ZOWNER) FROM ZPASSPORT), (SELECT count(*) FROM Z_4FRIENDS)",
            ["2|0|0"]
        ),
        (
            "DELETE FROM Person WHERE name IN ('Bob', 'Eve')",
            "SELECT count(*) FROM Z_4FRIENDS", ["0"]
        ),
        // That no link to it is left is found by verifying the store.
        ("DELETE FROM Note WHERE body = 'one'", "SELECT ZBODY FROM ZNOTE", ["two"]),
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
            "UPDATE Note SET body = iso8601(730902600.123456) || '|' || date('2024-02-29T16:30:00.123456+0200') || '|' || iso8601(-0.25) || '|' || "
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
            _ = #expect(throws: StoreMigrationError.self) {
                try run("INSERT INTO Shape (color) VALUES ('red')", on: store)
            }
        }
    }
}

struct CompositeWorkTests {
    private static func model(_ further: Attribute...) -> ManagedObjectModel {
        let media = Attribute("media", .composite, compositeName: "Media")
        let size = Attribute("size", .composite, compositeName: "Size")
        return ManagedObjectModel(
            [Entity("Book", [attributeOf("title"), media] + further)],
            composites: [
                CompositeType("Media", ["pages:integer16", "status"].map(attributeOf) + [size]),
                CompositeType("Size", [attributeOf("unit")]),
            ]
        )
    }

    private static let rows = inserts(
        "Book",
        "ZTITLE, ZPAGES, ZSTATUS, ZUNIT",
        "'Ulysses', 7, 'READY', 'mm'; 'Emma', NULL, NULL, NULL"
    )

    private func books(after work: StageWork) throws -> [String] {
        try withStore(Self.model(), Self.rows) { store in
            var options = MigrationOptions.agreed
            options.allowsPrograms = true
            let work = CustomStageWork(didMigrate: work)
            try store.migration(to: Self.model(attributeOf("note")), by: work)
                .runInPlace(path: store.path, options: options)
            return try store.texts("SELECT ZTITLE, ZPAGES, ZSTATUS, ZUNIT FROM ZBOOK ORDER BY Z_PK")
        }
    }

    /// Writes these lines when all objects were read.
    private func answer(_ lines: String...) -> StageWork {
        let words = lines.map { "'\($0)'" }.joined(separator: " ")
        return .shell("cat > /dev/null; printf '%s\\n' \(words)", "Book")
    }

    private let ulysses = "Ulysses|7|READY|mm"
    private let emma = "Emma|-|-|-"

    @Test func `a program reads composites as objects, and may hand lines back`() throws {
        try withFolder { folder in
            let file = folder.appending(path: "lines")
            #expect(try books(after: .shell("tee '\(file.path)'", "Book")) == [ulysses, emma])
            let lines = try fileText(file).split(separator: "\n")
            #expect(
                lines == [
                    #"{"@id":"Book/p1","media":{"pages":7,"size":{"unit":"mm"},"status":"READY"},"note":null,"title":"Ulysses"}"#,
                    #"{"@id":"Book/p2","media":{"pages":null,"size":{"unit":null},"status":null},"note":null,"title":"Emma"}"#,
                ]
            )
        }
    }

    @Test func `an object is all of a composite, the name of an element that alone`() throws {
        let work = answer(
            #"{"@id": "Book/p1", "media": {"status": "GONE"}}"#,
            #"{"@id": "Book/p2", "media": {"pages": 3, "size": {"unit": "in"}}}"#,
            #"{"@id": "Book/p2", "media.status": "READY"}"#,
            #"{"@insert": "Book/new", "title": "Solaris", "media": {"pages": 9}}"#
        )
        let found = try books(after: work)
        #expect(found == ["Ulysses|-|GONE|-", "Emma|3|READY|in", "Solaris|9|-|-"])
        let emptied = answer(#"{"@id": "Book/p1", "media": null}"#)
        #expect(try books(after: emptied) == ["Ulysses|-|-|-", emma])
    }

    @Test(arguments: [
        (#"{"state": "x"}"#, "'state'"),
        (#""x""#, "Book.media"),
        (#"{"pages": 99999}"#, "Book.media.pages: '99999'"),
        (#"{"size": {"height": 1}}"#, "'height'"),
    ])
    func `a mistake in a composite is told`(_ media: String, _ said: String) throws {
        let work = answer(#"{"@id": "Book/p1", "media": \#(media)}"#)
        let error = #expect(throws: StoreMigrationError.self) { try books(after: work) }
        #expect(error?.description.contains(said) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [
        (#"{"@id": "Book/p1", "title": "a", "title": "b"}"#, "'title' occurs twice"),
        (#"{"@id": "Book/p1", "media": {"pages": 1, "pag\u0065s" : 2}}"#, "'pages' occurs twice"),
        (#"{"@insert": "Book/p9", "title": "a"}"#, "a name of stored or inserted objects"),
    ])
    func `a line that says two things is refused`(_ line: String, _ said: String) throws {
        let error = #expect(throws: StoreMigrationError.self) { try books(after: answer(line)) }
        #expect(error?.description.contains(said) == true, "\(error?.description ?? "")")
        let pair = answer(#"{"@id": "Book/p1", "title": "{\"title\": \"title\"}"}"#)
        #expect(try books(after: pair).count == 2)
    }

    private static let help =
        "'Book.media' is a composite; its elements are the columns "
        + #""media.pages", "media.status", "media.size.unit""#

    @Test(arguments: [
        ("SELECT media FROM Book", 8), ("UPDATE Book SET title = media.status", 31),
        ("UPDATE Book SET media = NULL", 17), ("INSERT INTO Book (media) VALUES (1)", 1),
        ("SELECT b.media FROM Book AS b", 10),
    ])
    func `a script that names a composite is told columns`(_ sql: String, _ column: Int) throws {
        let error = #expect(throws: StoreMigrationError.self) {
            try books(after: .script(sql, path: "did.sql"))
        }
        guard case .script(_, 1, let place, let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.hasSuffix(Self.help), "\(reason)")
        #expect(place == column, "\(reason)")
    }

    @Test func `scripts and Swift code name elements by their path`() throws {
        let changed = ["READY|7|READY|in", emma]
        let script =
            #"UPDATE Book SET "media.size.unit" = 'in', title = "media.status" WHERE "media.pages" = 7"#
        #expect(try books(after: .script(script, path: "did.sql")) == changed)
        let handler = StageWork.handler { store in
            try store.fetch("Book", where: "\"media.pages\" = 7") { book in
                let title = try book.value("media.status")
                let unit = SQLiteValue.text("in")
                try store.update("Book", book.id, ["title": title, "media.size.unit": unit])
            }
        }
        #expect(try books(after: handler) == changed)
        let missing = StageWork.handler { try $0.update("Book", 1, ["media": .null]) }
        let error = #expect(throws: StoreMigrationError.self) { try books(after: missing) }
        #expect(error?.description.contains(Self.help) == true, "\(error?.description ?? "")")
    }
}

struct StageExportTests {
    @Test func `scripts, handlers and maps give equal stores`() throws {
        let exports = try StagedMigrationTests.ways.map { way in
            try StageModels.with { store in
                try Migration(of: store.file(), by: way.2, works: way.1)
                    .runInPlace(path: store.path, options: .agreed)
                let rows = try exportedRows(of: store.file(), model: StageModels.v5)
                return String(decoding: rows, as: UTF8.self)
            }
        }
        #expect(exports[0].contains("\"home\": \"City/p1\""))
        #expect(exports[1] == exports[0])
        #expect(exports[2] == exports[0])
    }

    @Test func `what is found or created follows every change of the store`() throws {
        try StageModels.onPeople { store in
            func city(_ name: SQLiteValue) throws -> Int64 {
                try store.findOrCreate("City", ["name": name])
            }
            let london = try city(.text("London"))
            #expect(try city(.text("London")) == london)
            let athens = try city(.text("Athens"))
            #expect(athens != london)
            #expect(try city(.null) == city(.null))
            try store.update("City", athens, ["name": .text("Sparta")])
            #expect(try city(.text("Sparta")) == athens)
            #expect(try city(.text("Athens")) != athens)
            try store.delete("City", london)
            #expect(try city(.text("London")) != london)
            try store.rows("UPDATE City SET name = 'Rome' WHERE name = 'Sparta'")
            #expect(try city(.text("Rome")) == athens)
            let milan = try store.insert("City", ["name": .text("Milan")])
            #expect(try city(.text("Milan")) == milan)
            #expect(try store.count("City") == 5)
            // By a link, and by two values: numbers are equal whatever their form.
            let key: [String: SQLiteValue] = ["home": .integer(milan), "isGuest": .integer(1)]
            let person = try store.findOrCreate("Person", key)
            #expect(try store.findOrCreate("Person", key) == person)
            #expect(try store.findOrCreate("Person", ["isGuest": .real(1)]) == person)
            #expect(try store.object("Person", person)?.value("home") == .integer(milan))
            #expect(throws: (any Error).self) { try store.findOrCreate("City", [:]) }
            #expect(throws: (any Error).self) { try store.findOrCreate("City", ["x": .null]) }
        }
    }

    @Test func `the script of the guide runs`() throws {
        let script = try #require(guideBlocks("MigratingInStages.md", "sql").first)
        var model = StageModels.v3
        let people = entityOf("Person: name first last city home>City.people")
        model.entities += [people] + StageModels.v4.entities.filter { $0.name == "City" }
        var next = model
        next.entities[2].attributes.append(attributeOf("extra"))
        let names = ["'Ada Lovelace', 'London'", "'Jean Luc Picard', 'London'"]
        let rows = inserts("Person", "ZNAME, ZCITY", names[0], names[1])
        try withStore(model, rows) { store in
            try store.migrate(to: next, by: .before(script))
            let found = try store.texts(
                "SELECT p.ZFIRST, p.ZLAST, c.ZNAME FROM ZPERSON AS p JOIN ZCITY AS c ON c.Z_PK = p.ZHOME ORDER BY p.Z_PK"
            )
            #expect(found == ["Ada|Lovelace|London", "Jean|Luc Picard|London"])
        }
    }
}

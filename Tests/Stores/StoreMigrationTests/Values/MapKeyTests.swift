import Diagnostics
import Foundation
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct MapKeyTests {
    private static func model(_ names: [String], _ more: [String] = []) -> ManagedObjectModel {
        ManagedObjectModel(
            entities: names.map { name in Entity(name, (["name"] + more).map(attributeOf)) }
        )
    }

    /// Two albums and a third that was deleted, two boxes, and their entries in history and mirroring.
    private static let rows = [
        "INSERT INTO ZALBUM (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'a'), (2, 1, 1, 'b')",
        "INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 2, 1, 'x'), (2, 2, 1, 'y')",
        "UPDATE Z_PRIMARYKEY SET Z_MAX = CASE Z_NAME WHEN 'Album' THEN 3 ELSE 7 END",
        "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP) VALUES (1, 16002, 700000000)",
        "INSERT INTO ACHANGE (Z_PK, Z_ENT, ZTRANSACTIONID, ZENTITY, ZENTITYPK) VALUES "
            + "(1, 16001, 1, 1, 1), (2, 16001, 1, 1, 2), (3, 16001, 1, 1, 3), (4, 16001, 1, 2, 2)",
        "CREATE TABLE ANSCKRECORDMETADATA (Z_PK INTEGER PRIMARY KEY, ZENTITYID INTEGER, ZENTITYPK INTEGER)",
        "INSERT INTO ANSCKRECORDMETADATA VALUES (1, 1, 1), (2, 1, 2), (3, 2, 1)",
    ]

    private static let old = model(["Album", "Box"])
    private static let boxed = ["1|x", "2|y", "8|a", "9|b"]

    private static let maps: [(map: [String], table: String, objects: [String], keys: [String])] = [
        (["{from: Album, to: Box}", "{from: Box, to: Box}"], "ZBOX", boxed, ["Album|3", "Box|9"]),
        (["{from: Box, to: Box}", "{from: Album, to: Box}"], "ZBOX", boxed, ["Album|3", "Box|9"]),
        (
            // A second object does not take the key of one that was deleted.
            ["{from: Album, to: Album}", "{from: Album, to: Album, where: name = 'b'}"], "ZALBUM",
            ["1|a", "2|b", "4|b"], []
        ),
        (
            // Objects that stay in their entity are the same ones, whichever mapping takes them.
            [
                "{from: Album, to: Album, where: name = 'a'}",
                "{from: Album, to: Album, where: name != 'a'}",
            ], "ZALBUM", ["1|a", "2|b"], []
        ),
        (
            [
                "{from: Album, to: Album, where: name = 'a'}",
                "{from: Album, to: Album, where: name != 'x'}",
            ], "ZALBUM", ["1|a", "2|b", "4|a"], []
        ),
    ]

    @Test(arguments: maps.indices)
    func `objects keep their keys, in whatever order they are mapped`(_ index: Int) throws {
        let (mappings, table, objects, keys) = Self.maps[index]
        let map = "entities: [\(mappings.joined(separator: ", "))]"
        let new = Self.model(["Album", "Box"], ["more"])
        try MapRun.with(map, from: Self.old, to: new, rows: Self.rows, history: true) { run in
            #expect(try run.losses() == [])
            let result = try run.result()
            #expect(try result.texts("SELECT Z_PK, ZNAME FROM \(table) ORDER BY 1") == objects)
            let greatest = "SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT < 16000 ORDER BY 1"
            if !keys.isEmpty { #expect(try result.texts(greatest) == keys) }
            let changes = try result.texts("SELECT ZENTITY, ZENTITYPK FROM ACHANGE ORDER BY Z_PK")
            #expect(changes == ["1|1", "1|2", "1|3", "2|2"])
        }
    }

    private static let boxing = "entities: [{from: Album, to: Box}, {from: Box, to: Box}]"

    @Test func `keys are not counted on from one that is too great`() throws {
        let great = "INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT) VALUES (9223372036854775807, 2, 1)"
        let (rows, new) = (Self.rows + [great], Self.model(["Aaa", "Album", "Box"], ["more"]))
        try MapRun.with(Self.boxing, from: Self.old, to: new, rows: rows, history: true) { run in
            let result = try run.store.result(of: run.migration)
            let keys = try result.texts("SELECT Z_PK FROM ZBOX ORDER BY 1")
            #expect(keys == ["1", "2", "8", "9", "9223372036854775807"])
            let greatest = "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Box'"
            #expect(try result.texts(greatest) == ["9"])
        }
    }

    @Test func `a renamed entity goes on with its keys, though its name is taken`() throws {
        var new = Self.model(["Album", "Box"], ["more"])
        new.entities[0].renamingIdentifier = "Box"
        let map = "entities: [{from: Album, to: Album}, {from: Box, to: Album}]"
        try MapRun.with(map, from: Self.old, to: new, rows: Self.rows, history: true) { run in
            let albums = try run.result().texts("SELECT Z_PK, ZNAME FROM ZALBUM ORDER BY 1")
            #expect(albums == Self.boxed)
        }
    }

    @Test func `objects of another entity do not take the keys of one that goes`() throws {
        let map = "entities: [{delete: Box}, {from: Album, to: Box}]"
        let new = Self.model(["Album", "Box"], ["more"])
        try MapRun.with(map, from: Self.old, to: new, rows: Self.rows, history: true) { run in
            #expect(try run.losses() == ["Box 2 rows", "Box 1 record", "Box 1 record"])
            let boxes = try run.result().texts("SELECT Z_PK, ZNAME FROM ZBOX ORDER BY 1")
            #expect(boxes == ["8|a", "9|b"])
        }
    }

    /// The second entity comes before the first one, whose number then changes, or after it.
    @Test(arguments: ["Aardvark", "Zone"])
    func `records of objects that move are counted, and go`(_ name: String) throws {
        let map = """
            entities:
              - {from: Album, to: \(name), where: name = 'b'}
              - {from: Album, to: Album, where: name != 'b'}
            """
        let new = Self.model(["Album", "Box", name])
        try MapRun.with(map, from: Self.old, to: new, rows: Self.rows, history: true) { run in
            #expect(try run.losses() == ["Album 1 record", "Album 1 record"])
            let result = try run.result()
            let (album, box) = name == "Aardvark" ? (2, 3) : (1, 2)
            #expect(try result.texts("SELECT ZNAME FROM Z\(name.uppercased())") == ["b"])
            let changes = try result.texts("SELECT ZENTITY, ZENTITYPK FROM ACHANGE ORDER BY Z_PK")
            #expect(changes == ["\(album)|1", "\(album)|3", "\(box)|2"])
            let records = try result.texts(
                "SELECT ZENTITYID, ZENTITYPK FROM ANSCKRECORDMETADATA ORDER BY Z_PK"
            )
            #expect(records == ["\(album)|1", "\(box)|1"])
        }
    }

    @Test func `a map may swap which objects keep a file, and none is shared`() throws {
        var old = ExternalFile.photo()
        old.entities[0].attributes.append(ExternalFile.attribute("copy"))
        var new = old
        new.entities.append(Entity("Mark", [ExternalFile.attribute("data")]))
        let map = """
            entities:
              - {from: Photo, to: Mark}
              - {from: Photo, to: Photo, set: {copy: $source.data}}
              - {from: Photo, to: Photo}
            """
        let rows = inserts("Photo", "ZDATA", ExternalFile.markerSQL)
        let files = [ExternalFile.name: ExternalFile.large]
        try MapRun.with(map, from: old, to: new, rows: rows, files: files) { run in
            #expect(try run.losses() == [])
            let result = try run.result()
            let values = try result.connection.rows(
                "SELECT ZDATA FROM ZPHOTO UNION ALL SELECT ZCOPY FROM ZPHOTO UNION ALL SELECT ZDATA FROM ZMARK"
            ).map { $0[0] }.filter { $0 != .null }
            for value in values {
                #expect(try ExternalFile.plain(value, in: result) == .blob(ExternalFile.large))
            }
            #expect(values.count == 4)
            #expect(values.count { externalFileName($0.blob ?? Data()) != nil } == 1)
        }
    }
}

struct MapLossTests {
    private static func notes(_ more: String = "") -> ManagedObjectModel {
        modelOf("Album: name note \(more) box>Box.albums; Box: name note \(more) albums>>Album.box")
    }

    private static let notes =
        inserts("Album", "ZNAME, ZNOTE, ZBOX", "'a', 'x', 1", "'b', 'y', 1", "'c', NULL, NULL")
        + inserts("Box", "ZNAME, ZNOTE", "'d', 'z'")

    /// The expressions of a map for albums besides names, those for boxes, and the losses of albums' notes.
    private static let maps: [(album: String, box: String, lost: [String])] = [
        ("", "", ["Album.note 2 values"]),
        (", more: {constant: no note}", "", ["Album.note 2 values"]),
        (", more: {join: [' ', note, $source.name]}", "", ["Album.note 2 values"]),
        (", more: {coalesce: [$source.note, none]}", "", []),
        (", more: {coalesce: [$source.name, $source.note]}", "", ["Album.note 2 values"]),
        (", more: {coalesce: [$source.note, $source.name]}", "", []),
        (", more: {split: [$source.note, x, 1]}", "", ["Album.note 1 value"]),
        (", more: {split: [$source.note, x, 0]}", "", []),
        (", more: \"TERNARY($source.name == 'a', $source.note, 'n')\"", "", ["Album.note 1 value"]),
        (
            ", more: {lookup: {entity: Box, key: name, equals: $source.note, value: name}}", "",
            ["Album.note 2 values"]
        ),
        ("", ", more: {coalesce: [$source.note, none]}", ["Album.note 2 values"]),
        ("", ", more: {join: [' ', $source.albums.note]}", []),
        (
            "", ", more: {lookup: {entity: Album, key: name, equals: $source.name, value: note}}",
            ["Album.note 2 values"]
        ),
        (
            "", ", more: {lookup: {entity: Album, key: name, equals: \"'a'\", value: note}}",
            ["Album.note 1 value"]
        ),
        (
            ", more: {lookup: {entity: Box, key: name, equals: $source.name, value: note}}", "",
            ["Album.note 2 values"]
        ),
    ]

    @Test(arguments: maps.indices)
    func `a value goes on where an expression reads it, of the same entity`(_ index: Int) throws {
        let (album, box, lost) = Self.maps[index]
        let map = """
            entities:
              - {from: Album, to: Album, copyRest: false, set: {name: $source.name, box: $source.box\(album)}}
              - {from: Box, to: Box, set: {name: $source.name\(box)}}
            """
        let (old, new) = (Self.notes(), Self.notes("more"))
        try MapRun.with(map, from: old, to: new, rows: Self.notes) { run in
            #expect(try run.losses() == lost)
            _ = try run.result()
        }
    }

    @Test func `what one of two mappings takes is lost for the objects of the other`() throws {
        let map = """
            entities:
              - {from: Album, to: Album, where: name != 'b'}
              - {from: Album, to: Box, where: name = 'b', copyRest: false, set: {name: $source.name}}
              - {from: Box, to: Box}
            """
        let model = Self.notes()
        try MapRun.with(map, from: model, to: Self.notes("more"), rows: Self.notes) { run in
            #expect(try run.losses() == ["Album.note 1 value", "Album.box 1 link"])
            let result = try run.result()
            #expect(try result.texts("SELECT ZNAME, ZNOTE FROM ZBOX ORDER BY 1") == ["b|-", "d|z"])
        }
    }

    @Test(arguments: [
        ("", true, ["Album.box 1 row"]), ("", false, ["Album.box 1 row"]),
        (", copyRest: false, set: {name: $source.name}", false, ["Album.box 3 rows"]),
    ])
    func `a mandatory link that is not there is refused`(
        _ rest: String,
        _ wasMandatory: Bool,
        _ refused: [String]
    ) throws {
        let map = "entities: [{from: Album, to: Album\(rest)}, {from: Box, to: Box\(rest)}]"
        var (old, new) = (Self.notes(), Self.notes("more"))
        old.entities[0].relationships[0].isOptional = !wasMandatory
        new.entities[0].relationships[0].isOptional = false
        try MapRun.with(map, from: old, to: new, rows: Self.notes) { run in
            let findings = try run.migration.findings(in: run.store.file()).filter { !$0.isLoss }
            #expect(findings.map { "\($0.name) \($0.amount)" } == refused)
            #expect(throws: StoreMigrationError.self) { try run.result() }
        }
    }

    /// People have pets and a passport; some of them become robots, which may have pets too.
    private static func people(
        robots: String? = nil,
        pets: String = "Pet: owner>Person.pets"
    ) -> ManagedObjectModel {
        var model = modelOf(
            "Passport: person>Person.passport",
            "Person: name passport>Passport.person pets>>Pet.owner",
            pets
        )
        if let robots { model.entities.append(entityOf("Robot: name \(robots)")) }
        return model
    }

    /// Only one of its columns has the link of the second passport.
    private static let people =
        inserts("Person", "ZNAME, ZPASSPORT", "'a', 1", "'b', NULL", "'c', NULL")
        + inserts("Passport", "ZPERSON", "1", "3")
        + inserts("Pet", "ZOWNER", "1", "2", "3", "NULL")

    private static let split = """
        entities:
          - {from: Person, to: Person, where: name != 'b'}
          - {from: Person, to: Robot, where: name = 'b', set: {name: $source.name}}
        """

    @Test func `links to the half of an entity that moves are counted`() throws {
        let (old, new) = (Self.people(), Self.people(robots: ""))
        try MapRun.with(Self.split, from: old, to: new, rows: Self.people) { run in
            #expect(try run.losses() == ["Pet.owner 1 link"])
            #expect(throws: StoreMigrationError.self) {
                try run.store.result(of: run.migration, MigrationOptions())
            }
            let result = try run.result()
            let pets = try result.texts("SELECT Z_PK, ZOWNER FROM ZPET ORDER BY 1")
            #expect(pets == ["1|1", "2|-", "3|3", "4|-"])
            let passports = try result.texts("SELECT Z_PK, ZPASSPORT FROM ZPERSON ORDER BY 1")
            #expect(passports == ["1|1", "3|2"])
        }
    }

    @Test func `links that a mapping takes elsewhere are no loss`() throws {
        let pets = "Pet: owner>Person.pets robot>Robot.pets"
        let new = Self.people(robots: "pets>>Pet.robot", pets: pets)
        try MapRun.with(Self.split, from: Self.people(), to: new, rows: Self.people) { run in
            #expect(try run.losses() == [])
            let pets = try run.result().texts("SELECT Z_PK, ZOWNER, ZROBOT FROM ZPET ORDER BY 1")
            #expect(pets == ["1|1|-", "2|-|2", "3|3|-", "4|-|-"])
        }
    }

    private static let departures: [(map: String, losses: [String])] = [
        (
            // Links to objects that a condition leaves out are counted with these.
            "entities: [{from: Person, to: Person, where: name != 'a'}]",
            ["Person 1 row", "Passport.person 1 link", "Pet.owner 1 link"]
        ),
        (
            // Links between objects that both go are not counted.
            """
            entities:
              - {from: Person, to: Person, where: name != 'a'}
              - {from: Passport, to: Passport, where: person.name != 'a'}
              - {from: Pet, to: Pet, where: owner = nil OR owner.name != 'a'}
            """,
            ["Passport 1 row", "Person 1 row", "Pet 1 row"]
        ),
    ]

    @Test(arguments: departures.indices)
    func `links to objects that go are counted unless both ends do`(_ index: Int) throws {
        let (map, losses) = Self.departures[index]
        let (old, new) = (Self.people(), Self.people(robots: ""))
        try MapRun.with(map, from: old, to: new, rows: Self.people) { run in
            #expect(try run.losses() == losses)
            _ = try run.result()
        }
    }

    @Test(arguments: [
        ("$source.url.absoluteString", true), ("$source.url.absoluteURL", false),
        ("$source.text.absoluteString", false),
    ])
    func `a URI answers to its text, nothing else to a key`(
        _ expression: String,
        _ isKnown: Bool
    ) throws {
        let map = "entities: [{from: Page, to: Page, set: {new: \(expression)}}]"
        let (old, new) = (modelOf("Page: url:uri text old"), modelOf("Page: url:uri text new"))
        func run() throws {
            let rows = inserts("Page", "ZURL", "'a:b'")
            try MapRun.with(map, from: old, to: new, rows: rows) { run in
                let found = try run.result().texts("SELECT ZURL, ZNEW FROM ZPAGE")
                #expect(found == ["a:b|a:b"])
            }
        }
        guard !isKnown else { return try run() }
        #expect(throws: StoreMigrationError.self) { try run() }
    }
}

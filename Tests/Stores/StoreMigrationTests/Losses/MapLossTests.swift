import Foundation
import ObjectModel
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct MapLossTests {
    private static func notes(_ more: String = "") -> ManagedObjectModel {
        modelOf(
            "Album: name note \(more) box>Box.albums",
            "Box: name note \(more) albums>>Album.box"
        )
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
        (
            ", more: \"TERNARY($source.name == 'a', $source.note, 'n')\"", "",
            ["Album.note 1 value"]
        ),
        (
            ", more: {lookup: {entity: Box, key: name, equals: $source.note, value: name}}", "",
            ["Album.note 2 values"]
        ),
        ("", ", more: {coalesce: [$source.note, none]}", ["Album.note 2 values"]),
        ("", ", more: {join: [' ', $source.albums.note]}", []),
        (
            "", ", more: {lookup: {entity: Album, key: name, equals: $source.name, value: note}}",
            []
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
    func `a mandatory link that an object has not is refused by validation`(
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
    func `a URI answers to its text, and no other value to a key`(
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
        let error = #expect(throws: StoreMigrationError.self) { try run() }
        #expect(error?.description.contains("did you mean") == false)
    }
}

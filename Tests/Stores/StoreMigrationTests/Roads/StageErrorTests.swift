import Diagnostics
import Foundation
import MigrationPlanning
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct StageFindingTests {
    private static let old = modelOf("Author: name! pen", "Book: code! title!", "Novel/Book")

    private static let wider: ManagedObjectModel = {
        var model = old
        model.entities[0].attributes.append(attributeOf("more"))
        return model
    }()

    private static let new: ManagedObjectModel = {
        var model = modelOf("Writer: fullName! pen", "Book: code! title!", "Novel/Book")
        model.entities[0].renamingIdentifier = "Author"
        model.entities[0].attributes[0].renamingIdentifier = "name"
        return model
    }()

    private static let rows = [
        "INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT, ZNAME, ZPEN) VALUES (1, 1, 1, NULL, 'p'), (2, 1, 1, 'b', 'q')",
        "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZCODE, ZTITLE) VALUES (1, 2, 1, 'c', 't'), (2, 3, 1, 'd', 'u')",
    ]

    private func refusals(_ store: TestStore, _ new: ManagedObjectModel, _ work: CustomStageWork)
        throws -> [Diagnostic]
    {
        do {
            try store.migrate(to: new, by: work)
            return []
        } catch StoreMigrationError.stageFindings(_, let findings) {
            return findings
        }
    }

    /// Migrates a store whose author 1 lacks a name; returns the refusals of the stage.
    private func refused(
        _ work: CustomStageWork,
        to new: ManagedObjectModel = wider,
        damage: String = ""
    ) throws -> [String] {
        try withStore(Self.old, Self.rows + [damage]) { store in
            try refusals(store, new, work).map {
                "\($0.entity ?? "").\($0.property ?? ""): \($0.count)"
            }
        }
    }

    @Test(arguments: [
        ("UPDATE Author SET name = 'a' WHERE name IS NULL", []),
        ("UPDATE Author SET pen = 'a'", []),
        (
            "UPDATE Author SET name = 'a' WHERE name IS NULL; UPDATE Book SET code = NULL WHERE objectID = 1",
            ["Book.code: 1"]
        ),
        (
            "UPDATE Book SET title = NULL WHERE objectID = 2; UPDATE Author SET name = 'a'",
            ["Book.title: 1"]
        ),
        ("UPDATE Author SET name = NULL", ["Author.name: 2"]),
    ])
    func `a script that mends one fault breaks no other`(
        _ script: String,
        _ expected: [String]
    ) throws {
        #expect(try refused(.before(script)) == expected, "\(script)")
    }

    private static let shelved = modelOf(
        "Book: title shelf>Shelf.books!; Map: title shelf>Shelf.maps!",
        "Shelf: name books>>Book.shelf maps>>Map.shelf"
    )

    private static let shelvedRows =
        inserts("Book", "ZTITLE", "'s'") + inserts("Map", "ZTITLE, ZSHELF", "'t', 1")
        + inserts("Shelf", "ZNAME", "'s'")

    @Test(arguments: [(["Book", "Map"], ["Map.shelf"]), (["Book"], [])])
    func `a map that mends one fault breaks no other`(
        _ entities: [String],
        _ expected: [String]
    ) throws {
        let find = "{find: {entity: Shelf, key: name, equals: $source.title}}"
        let maps = entities.map { "{from: \($0), to: \($0), set: {shelf: \(find)}}" }
        try withStore(Self.shelved, Self.shelvedRows) { store in
            var new = Self.shelved
            new.entities[2].attributes.append(attributeOf("more"))
            let map = CustomStageWork.mapped("entities: [\(maps.joined(separator: ", "))]")
            let refused = try refusals(store, new, map)
            #expect(refused.map { "\($0.entity ?? "").\($0.property ?? "")" } == expected)
        }
    }

    @Test func `damage that a map copies under another name is no worse`() throws {
        let map = "{from: Author, to: Writer, set: {pen: {constant: x}}}"
        #expect(try refused(.mapped("entities: [\(map)]"), to: Self.new) == [])
        let twice = "{from: Author, to: Writer, set: {fullName: $source.name, pen: {constant: y}}}"
        #expect(try refused(.mapped("entities: [\(map), \(twice)]"), to: Self.new) == [])
        let damage = "UPDATE ZBOOK SET ZTITLE = NULL WHERE Z_PK = 2"
        let other = "{from: Novel, to: Novel, set: {code: {constant: x}}}"
        #expect(try refused(.mapped("entities: [\(other)]"), to: Self.new, damage: damage) == [])
    }

    private func missing(_ entity: String, _ property: String, _ count: Int = 1) -> Diagnostic {
        Diagnostic(
            .missingValue,
            "missing",
            entity: entity,
            property: property,
            rows: Diagnostic.AffectedRows(count: count, unit: "row", keys: [])
        )
    }

    @Test func `a matrix takes for known what had its name before`() throws {
        let route = MigrationRoute(
            from: ModelVersion(name: "1", model: Self.old),
            to: ModelVersion(name: "2", model: Self.new)
        )
        let migration = try Migration(predictedAlong: route)
        let before = [missing("Author", "name", 2), missing("Book", "title")]
        let fine = [missing("Writer", "fullName", 2), missing("Book", "title")]
        #expect(migration.newFindings(fine, since: before) == [])
        let worse = [missing("Writer", "fullName", 3), missing("Book", "code")]
        #expect(migration.newFindings(worse, since: before) == worse)
        #expect(migration.newFindings(before, since: before) == [before[0]])
    }
}

struct StoreContextErrorTests {
    typealias Call = @Sendable (StoreContext) throws -> Void

    private static let meantEntity = StoreContextError.unknownEntity(
        "person",
        help: suggestion(for: "person", among: ["Person"])
    )
    private static let meantName = StoreContextError.unknownProperty(
        entity: "Person",
        name: "frist",
        help: suggestion(for: "frist", among: ["first"])
    )
    private static let meantLink = StoreContextError.unknownRelationship(
        entity: "City",
        name: "peple",
        help: suggestion(for: "peple", among: ["people"])
    )
    private static let noPerson = StoreContextError.noObject(entity: "Person", id: 999)
    private static let noCity = StoreContextError.noObject(entity: "City", id: 999)

    /// Whatever the reason is.
    private static let refused = StoreContextError.refused("")

    private static let faults: [(call: Call, error: StoreContextError)] = [
        ({ _ = try $0.objects("person") }, meantEntity),
        ({ _ = try $0.count("person") }, meantEntity),
        ({ try $0.insert("person") }, meantEntity),
        ({ try $0.update("person", 1, [:]) }, meantEntity),
        ({ _ = try $0.objects("Person").first?.value("frist") }, meantName),
        ({ _ = try $0.first("Person", "frist", equals: .null) }, meantName),
        ({ _ = try $0.findOrCreate("Person", ["frist": .null]) }, meantName),
        ({ try $0.insert("Person", ["frist": .null]) }, meantName),
        ({ try $0.update("Person", 1, ["frist": .null]) }, meantName),
        ({ try $0.update("Person", 1, ["last": .null, "frist": .null]) }, meantName),
        ({ _ = try $0.destinations("City", "peple", of: 1) }, meantLink),
        ({ try $0.link("City", "peple", from: 1, to: 1) }, meantLink),
        (
            { try $0.link("Person", "home", from: 1, to: 1) },
            .unknownRelationship(entity: "Person", name: "home", help: "")
        ),
        ({ try $0.update("Person", 999, ["first": .null]) }, noPerson),
        ({ try $0.update("Person", 999, ["home": .null]) }, noPerson),
        ({ try $0.update("Person", 999, [:]) }, noPerson),
        (
            { store in
                for id: Int64 in [1, 999] { try store.update("Person", id, ["first": .null]) }
            },
            noPerson
        ),
        ({ try $0.delete("Person", 999) }, noPerson),
        ({ try $0.link("City", "people", from: 1, to: 999) }, noPerson),
        ({ try $0.link("City", "people", from: 999, to: 1) }, noCity),
        ({ _ = try $0.destinations("City", "people", of: 999) }, noCity),
        ({ _ = try $0.rows("SELECT nope FROM City") }, refused),
        ({ _ = try $0.findOrCreate("City", [:]) }, refused),
    ]

    private func run(_ call: @escaping Call) throws {
        try StageModels.onPeople { store in
            let city = try store.insert("City", ["name": .text("London")])
            try store.insert("Person", ["home": .integer(city)])
            try call(store)
        }
    }

    @Test(arguments: faults.indices)
    func `a misspelt name or identifier ends the migration`(index: Int) throws {
        let fault = Self.faults[index]
        let error = #expect(throws: StoreMigrationError.self) { try run(fault.call) }
        guard case .handler(let stage, let reason, let thrown)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let found = try #require(thrown.error as? StoreContextError)
        let isRefused = if case .refused = found { true } else { false }
        #expect(isRefused ? fault.error == Self.refused : found == fault.error, "\(reason)")
        #expect(reason == found.description)
        #expect(!stage.isEmpty)
    }

    @Test func `what is there is no error`() throws {
        try run { store in
            #expect(try store.object("Person", 999)?.id == nil)
            #expect(try store.object("Person", 1)?.value("first") == .null)
            try store.update("Person", 1, [:])
            try store.update("Person", 1, ["first": .text("Ada"), "home": .null])
            try store.link("City", "people", from: 1, to: 1)
            try store.link("City", "people", from: 1, to: 1)
            #expect(try store.destinations("City", "people", of: 1) == [1])
            try store.delete("Person", 1)
            #expect(try store.destinations("City", "people", of: 1) == [])
        }
    }
}

struct FoundObjectTests {
    @Test func `texts that look the same and have other bytes are two keys`() throws {
        try StageModels.with { store in
            let names = ["Zo\u{EB}", "Zoe\u{308}", "Zo\u{EB}"]
            let work = CustomStageWork.after { store in
                let ids = try names.map { try store.findOrCreate("Member", ["city": .text($0)]) }
                #expect(ids[0] == ids[2] && ids[0] != ids[1])
            }
            try store.migrate(to: StageModels.v2, by: work)
            let count = "SELECT count(*) FROM ZMEMBER WHERE ZCITY LIKE 'Zo%'"
            #expect(try store.value(count) == .integer(2))
        }
    }
}

struct StageUniquenessTests {
    private static func model(_ more: String = "") -> ManagedObjectModel {
        var model = modelOf("Book: isbn title \(more)")
        model.entities[0].uniquenessConstraints = [UniquenessConstraint(properties: ["isbn"])]
        return model
    }

    private static let told = "'Book.isbn' must be unique, but another object has the same value"

    private static let works: [(work: CustomStageWork, words: String)] = [
        (.after("UPDATE Book SET isbn = 'a';"), told),
        (.after { try $0.update("Book", 2, ["isbn": .text("one")]) }, "\(told): object 1"),
        (.after { try $0.insert("Book", ["isbn": .text("two")]) }, "\(told): object 2"),
        (
            .mapped(
                "{entities: [{from: Book, to: Book, set: {isbn: $source.title}}], copyRest: true}"
            ), "isbn"
        ),
    ]

    @Test(arguments: works.indices)
    func `a value that must be unique is told by its property`(index: Int) throws {
        let rows = inserts("Book", "ZISBN, ZTITLE", "'one', 'Same'", "'two', 'Same'")
        let (work, words) = Self.works[index]
        try withStore(Self.model(), rows) { store in
            let error = #expect(throws: (any Error).self) {
                try store.migrate(to: Self.model("note"), by: work)
            }
            let text = error.map { "\($0)" } ?? ""
            #expect(text.contains(words), "\(text)")
            #expect(!text.contains("UNIQUE constraint") && !text.contains("ZBOOK"), "\(text)")
        }
    }
}

struct ProgramLinkTests {
    private static let model = modelOf(
        "A: b>B.as many>>B.others; B: as>>A.b others>>A.many; C/B; M"
    )

    @Test(arguments: [
        (#"{"@id": "A/p1", "b": "B/p2"}"#, true), (#"{"@id": "A/p1", "b": "C/p3"}"#, true),
        (#"{"@id": "A/p1", "b": "B/p3"}"#, true), (#"{"@id": "A/p1", "many": ["C/p3"]}"#, true),
        (#"{"@insert": "A/new", "b": "B/p2"}"#, true), (#"{"@id": "A/p1", "b": "M/p2"}"#, false),
        (#"{"@id": "A/p1", "many": ["M/p2"]}"#, false), (#"{"@id": "A/p1", "b": "A/p1"}"#, false),
        (#"{"@insert": "A/new", "b": "M/p2"}"#, false), (#"{"@id": "A/p1", "b": "C/p2"}"#, false),
        (#"{"@insert": "A/new", "many": ["M/p2"]}"#, false),
        (#"{"@id": "A/p1", "b": "B/p9"}"#, false),
        (#"{"@insert": "M/x"}"# + "\n" + #"{"@id": "A/p1", "b": "M/x"}"#, false),
        (#"{"@insert": "C/x"}"# + "\n" + #"{"@id": "A/p1", "b": "C/x"}"#, true),
    ])
    func `a link to another entity is refused`(_ lines: String, _ isTaken: Bool) throws {
        let objects = [("A", "ZA", 1), ("B", "ZB", 2), ("C", "ZB", 3), ("M", "ZM", 2)]
        let rows = objects.map { entity, table, key in
            "INSERT INTO \(table) (Z_PK, Z_ENT, Z_OPT) SELECT \(key), Z_ENT, 1 FROM Z_PRIMARYKEY WHERE Z_NAME = '\(entity)'"
        }
        try withStore(Self.model, rows) { store in
            let work = StageWork.shell("cat > /dev/null; cat <<'E'\n\(lines)\nE", "A")
            let connection = try SQLiteConnection(path: store.path, mode: .readWrite)
            let version = ModelVersion(model: Self.model)
            func run() throws(StoreMigrationError) {
                try runStageWork(work, on: connection, at: version)
            }
            guard !isTaken else { return try run() }
            let error = #expect(throws: StoreMigrationError.self) { try run() }
            let isOfProgram = if case .script? = error { true } else { false }
            #expect(isOfProgram, "\(error?.description ?? "")")
        }
    }
}

import Diagnostics
import Foundation
import MigrationPlanning
import ModelHashing
import ObjectModel
import SQLiteAccess
import SettingsFiles
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct StoreContextErrorTests {
    typealias Call = @Sendable (StoreContext) throws -> Void

    private static let meantEntity = StoreContextError.unknownEntity(
        "person",
        help: "; did you mean 'Person'"
    )
    private static let meantName = StoreContextError.unknownProperty(
        entity: "Person",
        name: "frist",
        help: "; did you mean 'first'"
    )
    private static let meantLink = StoreContextError.unknownRelationship(
        entity: "City",
        name: "peple",
        help: "; did you mean 'people'"
    )
    private static let noPerson = StoreContextError.noObject(entity: "Person", id: 999)
    private static let noCity = StoreContextError.noObject(entity: "City", id: 999)

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
        ({ try $0.rows("SELECT nope FROM City") }, .refused("no such column: nope")),
        ({ _ = try $0.findOrCreate("City", [:]) }, .refused("name an attribute to find by")),
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
        #expect(thrown.error as? StoreContextError == fault.error, "\(reason)")
        #expect(reason == fault.error.description)
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

    private static let told = "'Book.isbn' must be unique, and another object has the same"

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
        "A: b>B.as many>>B.others",
        "B: as>>A.b others>>A.many",
        "C/B",
        "M"
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
    func `a link to an object of another entity is refused`(_ lines: String, _ isTaken: Bool) throws
    {
        let objects = [("A", "ZA", 1), ("B", "ZB", 2), ("C", "ZB", 3), ("M", "ZM", 2)]
        let rows = objects.map { entity, table, key in
            "INSERT INTO \(table) (Z_PK, Z_ENT, Z_OPT) "
                + "SELECT \(key), Z_ENT, 1 FROM Z_PRIMARYKEY WHERE Z_NAME = '\(entity)'"
        }
        try withStore(Self.model, rows) { store in
            let program = StageProgram(
                arguments: ["sh", "-c", "cat > /dev/null; cat <<'E'\n\(lines)\nE"],
                entities: ["A"],
                location: FileLocation(path: "Stages.yml")
            )
            let connection = try SQLiteConnection(path: store.path, mode: .readWrite)
            let version = ModelVersion(model: Self.model)
            func run() throws(StoreMigrationError) {
                try runStageWork(.program(program), on: connection, at: version)
            }
            guard !isTaken else { return try run() }
            let error = #expect(throws: StoreMigrationError.self) { try run() }
            let isOfProgram = if case .script? = error { true } else { false }
            #expect(isOfProgram, "\(error?.description ?? "")")
        }
    }
}

import Foundation
import MigrationPlanning
import ObjectModel
import SQLiteAccess
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
        try withFolder { folder in
            let path = folder.appending(path: "Store.sqlite").path
            try createStore(at: path, model: StageModels.v4) { _, _ throws(StoreError) in }
            try StageModels.migrate(
                path,
                from: StageModels.v4,
                to: StageModels.v5,
                by: CustomStageWork(
                    willMigrate: .handler { store in
                        let city = try store.insert("City", ["name": .text("London")])
                        try store.insert("Person", ["home": .integer(city)])
                        try call(store)
                    }
                )
            )
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

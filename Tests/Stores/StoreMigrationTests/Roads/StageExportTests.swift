import Foundation
import MigrationPlanning
import ObjectModel
import RowExchange
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

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
        next.entities[2].attributes.append(StageModels.text("extra"))
        let names = ["'Ada Lovelace', 'London'", "'Jean Luc Picard', 'London'"]
        let rows = inserts("Person", "ZNAME, ZCITY", names[0], names[1])
        try withStore(model, rows) { store in
            try store.migrate(to: next, by: .before(script))
            let found = try store.texts(
                "SELECT p.ZFIRST, p.ZLAST, c.ZNAME FROM ZPERSON AS p "
                    + "JOIN ZCITY AS c ON c.Z_PK = p.ZHOME ORDER BY p.Z_PK"
            )
            #expect(found == ["Ada|Lovelace|London", "Jean|Luc Picard|London"])
        }
    }
}

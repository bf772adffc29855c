import CorpusStores
import Diagnostics
import Foundation
import ModelHashing
import ModelLoading
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct RepairTests {
    private static let model = modelOf(
        "Book: title! pages:integer16 cover>Cover.book",
        "Cover: book>Book.cover"
    )

    private static let rows =
        inserts("Book", "ZTITLE, ZCOVER", "'a', 1", "'b', 2") + inserts("Cover", "ZBOOK", "1", "2")

    private func withDamage(_ damage: String..., body: (TestStore) throws -> Void) throws {
        try withStore(Self.model, Self.rows) { store in
            try store.execute(damage)
            try body(store)
        }
    }

    @Test func `links that one side knows are written on the other`() throws {
        try withDamage("UPDATE ZBOOK SET ZCOVER = NULL WHERE Z_PK = 2") { store in
            let said = "write 1 link of 'Book.cover' that 'Cover.book' knows"
            #expect(try store.cure().steps.map(\.purpose) == [said])
        }
    }

    @Test(arguments: [
        "CREATE TRIGGER t AFTER UPDATE ON ZBOOK BEGIN DELETE FROM ZCOVER; END",
        "CREATE TRIGGER t AFTER UPDATE OF ZCOVER ON ZBOOK BEGIN DELETE FROM ZBOOK; END",
        "CREATE TRIGGER t BEFORE UPDATE ON Z_PRIMARYKEY BEGIN DELETE FROM ZBOOK; END",
        "CREATE TRIGGER ZT_t AFTER UPDATE ON ZBOOK BEGIN UPDATE ZCOVER SET ZBOOK = NULL; END",
        "CREATE TRIGGER t AFTER UPDATE ON Z_PRIMARYKEY BEGIN INSERT INTO ZCOVER (Z_ENT) VALUES (2); END",
    ])
    func `a trigger that is not Core Data's does not run, and stays`(_ trigger: String) throws {
        let link = "UPDATE ZBOOK SET ZCOVER = NULL WHERE Z_PK = 2"
        try withDamage(link, "UPDATE Z_PRIMARYKEY SET Z_MAX = 1", trigger) { store in
            try store.repair().run(inPlace: store.path, backup: nil)
            let books = try store.texts("SELECT Z_PK, ZTITLE, ZCOVER FROM ZBOOK ORDER BY Z_PK")
            #expect(books == ["1|a|1", "2|b|2"])
            #expect(try store.texts("SELECT ZBOOK FROM ZCOVER ORDER BY Z_PK") == ["1", "2"])
            let left = "SELECT sql FROM sqlite_master WHERE type = 'trigger'"
            #expect(try store.value(left)?.text == trigger)
        }
    }

    @Test func `a required value that is gone is asked for by its name`() throws {
        try withDamage("ALTER TABLE ZBOOK DROP COLUMN ZTITLE") { store in
            #expect(try store.repair().obstacles.map(\.asksFor) == ["Book.title"])
            let repair = try store.repair(RepairOptions(values: ["Book.title": .string("it's")]))
            let new = store.place("New.sqlite")
            try repair.run(from: store.file(), toNewFile: new)
            let result = try StoreFile(path: new)
            #expect(try result.texts("SELECT DISTINCT ZTITLE FROM ZBOOK") == ["it's"])
            let left = try verify(result, against: Self.model).filter { $0.severity != .note }
            #expect(left.isEmpty)
        }
    }

    @Test func `links that lead nowhere go only when that is agreed to`() throws {
        try withDamage(
            "UPDATE ZBOOK SET ZCOVER = 9 WHERE Z_PK = 1",
            "DELETE FROM ZCOVER WHERE Z_PK = 1"
        ) { store in
            #expect(try store.repair().obstacles.count == 1)
            let repair = try store.repair(RepairOptions(clearsLinks: true))
            #expect(repair.obstacles.isEmpty)
            try repair.run(inPlace: store.path, backup: store.place("Old.sqlite"))
            #expect(try store.faults().isEmpty)
        }
    }

    @Test func `history that is older than a moment goes, the rest stays`() throws {
        let history = (1...10).flatMap { place in
            [
                "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP) VALUES (\(place), 16002, \(place)00)",
                "INSERT INTO ACHANGE (Z_ENT, ZTRANSACTIONID) VALUES (16001, \(place)), (16001, \(place))",
            ]
        }
        let keys = "UPDATE Z_PRIMARYKEY SET Z_MAX = 20 WHERE Z_ENT > 16000"
        try withStore(Self.model, history + [keys], history: true) { store in
            let repair = try store.repair(RepairOptions(historyStart: 401))
            let said = ["changes", "transactions"].map { "old \($0) from the history" }
            #expect(repair.steps.map(\.purpose) == ["remove 8 \(said[0])", "remove 4 \(said[1])"])
            let new = store.place("New.sqlite")
            try repair.run(from: store.file(), toNewFile: new)
            let result = try StoreFile(path: new).connection
            #expect(try result.value("SELECT count(*) FROM ACHANGE")?.integer == 12)
            #expect(try result.value("SELECT min(Z_PK) FROM ATRANSACTION")?.integer == 5)
        }
    }

    @Test func `a store of another version is not touched`() throws {
        try withDamage { store in
            var other = Self.model
            other.entities[0].attributes[0].isOptional = true
            let repair = try store.repair(against: other)
            #expect(repair.steps.isEmpty && repair.obstacles.count == 1)
        }
    }
}

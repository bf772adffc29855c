import Diagnostics
import Foundation
import ModelHashing
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct RepairConversionTests {
    private static let model: ManagedObjectModel = {
        var model = modelOf("Book: notes page:binary due:date")
        model.entities[0].attributes.append(ExternalFile.attribute("cover"))
        return model
    }()

    /// Repairs a book with one value in a column without a type; returns the stored value.
    private func repaired(
        _ column: String,
        _ value: String,
        _ options: RepairOptions = RepairOptions([.convertValues])
    ) throws -> SQLiteValue? {
        try withStore(Self.model) { store in
            try store.execute(
                "ALTER TABLE ZBOOK DROP COLUMN \(column)",
                "ALTER TABLE ZBOOK ADD COLUMN \(column) BLOB",
                "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, \(column)) VALUES (1, 1, 1, \(value))",
                "UPDATE Z_PRIMARYKEY SET Z_MAX = 1"
            )
            let repair = try store.repair(options)
            #expect(repair.obstacles.isEmpty && repair.remaining.isEmpty, "\(repair)")
            try repair.run(inPlace: store.path, backup: nil)
            #expect(try store.findings() == [])
            return try store.value("SELECT \(column) FROM ZBOOK")
        }
    }

    @Test(arguments: [
        ("0.1 + 0.2", "0.30000000000000004"), ("0.5", "0.5"), ("1e22", "1e+22"),
        ("9007199254740992.0", "9007199254740992.0"),
        ("9223372036854775807", "9223372036854775807"),
    ])
    func `a number becomes a text of all its digits`(_ number: String, _ text: String) throws {
        #expect(try repaired("ZNOTES", number) == .text(text))
    }

    @Test func `bytes that may live in a file say that they are in the store`() throws {
        let text = "CAST(x'0168656C6C6F' AS TEXT)"
        #expect(try repaired("ZCOVER", text) == .blob(Data([1, 1] + Array("hello".utf8))))
        #expect(try repaired("ZPAGE", text) == .blob(Data([1] + Array("hello".utf8))))
        let given = RepairOptions(values: ["Book.cover": .binary(Data([7, 8]))])
        #expect(try repaired("ZCOVER", "12", given) == .blob(Data([1, 7, 8])))
    }

    @Test(arguments: [
        ("2001-01-02T00:00:00Z", SQLiteValue.integer(86_400)),
        ("2001-01-01T00:00:00.25Z", .real(0.25)),
        ("2001-01-01T02:00:00.500+02:00", .real(0.5)),
        ("2000-12-31T23:59:59.999999Z", .real(-0.000001)), ("86400", .integer(86_400)),
    ])
    func `a text in ISO 8601 becomes its date`(_ text: String, _ value: SQLiteValue) throws {
        #expect(try repaired("ZDUE", quotedText(text)).flatMap(Self.seconds) == Self.seconds(value))
    }

    private static func seconds(_ value: SQLiteValue) -> Double? {
        switch value {
        case .integer(let number): Double(number)
        case .real(let number): number
        case .null, .text, .blob: nil
        }
    }

    /// Words, a day without a time and a zone, a time without a zone, and more decimals than a date keeps.
    @Test(arguments: [
        "soon", "2024-02-29", "2024-02-29T12:30:00", "2024-02-30T12:30:00Z",
        "2024-02-29T12:30:00.12345678901234567Z",
    ])
    func `what is no date, or more than one keeps, stays and is told`(_ text: String) throws {
        let rows = inserts("Book", "ZDUE", quotedText(text), "'2001-01-01T00:00:01Z'")
        try withStore(Self.model, rows) { store in
            let repair = try store.repair(RepairOptions([.convertValues]))
            #expect(repair.steps.count == 1 && repair.steps[0].purpose.contains(" 1 value "))
            let problems = repair.obstacles.map(\.problem)
            #expect(problems.count == 1 && problems[0].contains("'Book.due' (p1)"), "\(problems)")
        }
    }
}

struct HistoryRepairTests {
    private static let model: ManagedObjectModel = {
        var model = modelOf("Note: title")
        model.entities[0].attributes[0].preservesValueInHistoryOnDeletion = true
        return model
    }()

    private static let rows =
        inserts("Note", "ZTITLE", "'a'", "'b'") + [
            "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP) VALUES (1, 16002, 700000000), (2, 16002, 700000001)",
            "INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID) VALUES (1, 16001, 0, 1, 1, 1), (2, 16001, 0, 1, 2, 2), (3, 16001, 2, 1, 3, 2)",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 3",
        ]

    private func withHistory(_ damage: String, _ body: (TestStore) throws -> Void) throws {
        try withStore(Self.model, Self.rows, history: true) { store in
            try store.execute(damage)
            try body(store)
        }
    }

    @Test(arguments: [
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_ENT > 16000",
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 0",
        "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT > 16000",
        "DROP TABLE Z_PRIMARYKEY",
    ])
    func `what the rows still know comes back`(_ damage: String) throws {
        try withHistory(damage) { store in
            func rows(_ file: StoreFile) throws -> [[[SQLiteValue]]] {
                try ["ZNOTE", "ACHANGE", "ATRANSACTION"].map {
                    try file.connection.rows("SELECT * FROM \($0) ORDER BY Z_PK")
                }
            }
            let broken = try store.broken()
            let before = try rows(broken)
            let repair = try StoreRepair(of: broken, against: Self.model)
            #expect(!repair.steps.isEmpty && repair.obstacles.isEmpty, "\(repair.obstacles)")
            let new = store.place("New.sqlite")
            try repair.run(from: broken, toNewFile: new)
            let result = try StoreFile(path: new)
            let left = try verify(result, against: Self.model).filter { $0.severity != .note }
            #expect(left.isEmpty, "\(left)")
            #expect(try rows(result) == before)
        }
    }

    @Test(arguments: [
        ("ACHANGE", "ZENTITYPK", false), ("ACHANGE", "ZENTITY", false),
        ("ACHANGE", "ZCOLUMNS", true), ("ACHANGE", "ZCHANGETYPE", false),
        ("ATRANSACTION", "ZTIMESTAMP", false),
    ])
    func `lost columns of history are made again, unless it cannot be read without`(
        _ table: String,
        _ column: String,
        _ isCured: Bool
    ) throws {
        let index = "DROP INDEX Z_TRANSACTION_TransactionTimestampIndex"
        try withHistory(index) { store in
            try store.execute("ALTER TABLE \(table) DROP COLUMN \(column)")
            #expect(try store.faults().map(\.rule) == [.missingColumn])
            if isCured { return #expect(try store.cure().steps.map { $0.lost != nil } == [true]) }
            let asked = try store.asked()
            #expect(asked.count == 1 && asked[0].contains("lacks \(column)"), "\(asked)")
            let pruned = try store.repair(RepairOptions(historyStart: 0))
            #expect(pruned.obstacles.count == 1)
            try store.execute("DELETE FROM ACHANGE", "DELETE FROM ATRANSACTION")
            #expect(try store.cure().steps.allSatisfy { $0.lost == nil })
        }
    }

    @Test func `changes of no transaction are asked for, and go where history is pruned`() throws {
        try withHistory("DELETE FROM ATRANSACTION WHERE Z_PK = 2") { store in
            let found = try store.faults()
            #expect(found.map(\.rule.rawValue) == ["orphaned-change"])
            #expect(found.first?.count == 2 && found.first?.keys == [2, 3])
            let asked = try store.repair()
            #expect(asked.steps.isEmpty)
            #expect(asked.obstacles.first?.remedy.text(in: .code).contains("History") == true)
            let notes = try store.rows("SELECT * FROM ZNOTE ORDER BY Z_PK")
            let repair = try store.repair(RepairOptions(historyStart: 0))
            #expect(repair.obstacles.isEmpty)
            try repair.run(inPlace: store.path, backup: nil)
            #expect(try store.faults().isEmpty)
            #expect(try store.texts("SELECT Z_PK FROM ACHANGE") == ["1"])
            #expect(try store.texts("SELECT count(*) FROM ATRANSACTION") == ["1"])
            #expect(try store.rows("SELECT * FROM ZNOTE ORDER BY Z_PK") == notes)
        }
    }
}

struct RepairLostTableTests {
    @Test(arguments: [
        ["Z_METADATA"], ["Z_PRIMARYKEY"], ["Z_METADATA", "Z_PRIMARYKEY"],
        ["Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE"],
    ])
    func `lost tables come back, and no row changes`(_ tables: [String]) throws {
        try withLibraryStore { store in
            let records = try store.file().primaryKeys()
            try store.execute(tables.map { "DROP TABLE \($0)" })
            let system: Set = ["Z_METADATA", "Z_MODELCACHE", "Z_PRIMARYKEY"]
            let before = try store.contents(without: system).filter { $0.key.hasPrefix("Z") }
            let repair = try StoreRepair(of: store.broken(), against: store.model)
            #expect(repair.obstacles.isEmpty, "\(repair.obstacles)")
            #expect(repair.remaining.isEmpty, "\(repair.remaining)")
            let new = TestStore(folder: store.folder.appending(path: "New"), model: store.model)
            try makeFolder(new.folder)
            try repair.run(from: store.broken(), toNewFile: new.path)
            #expect(try new.faults().isEmpty)
            #expect(try new.file().metadata().hashes == versionHashes(of: store.model))
            #expect(try !new.file().metadata().uuid.isEmpty)
            let after = try new.contents(without: system).filter { $0.key.hasPrefix("Z") }
            #expect(after == before)
            let keys = try new.file().primaryKeys()
            for key in records {
                let found = keys.first { $0.number == key.number }
                #expect(found?.name == key.name && found?.superNumber == key.superNumber)
                // A key that no row has any more is lost with the table.
                #expect(found.map { $0.maximumKey <= key.maximumKey } == true)
            }
            #expect(try new.repair().isEmpty)
        }
    }

    @Test func `a model that does not fit every table restores none`() throws {
        try withLibraryStore("DROP TABLE Z_METADATA", "DROP TABLE Z_PRIMARYKEY") { store in
            var model = store.model
            model.entities[0].attributes.append(attributeOf("further"))
            let repair = try StoreRepair(of: store.broken(), against: model)
            #expect(repair.steps.isEmpty && repair.obstacles.count == 1, "\(repair.obstacles)")
        }
    }

    @Test func `numbers that are those of no entity are no proof`() throws {
        try withLibraryStore("UPDATE ZBOOK SET Z_ENT = 77", "DROP TABLE Z_PRIMARYKEY") { store in
            let repair = try StoreRepair(of: store.broken(), against: store.model)
            #expect(repair.steps.isEmpty)
            #expect(repair.obstacles.first?.problem.contains("ZBOOK") == true)
        }
    }
}

import CorpusStores
import Diagnostics
import Foundation
import ModelHashing
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

@testable import StoreMigration

struct RepairConversionTests {
    private static let model = ManagedObjectModel([
        Entity(
            "Book",
            [
                Attribute(name: "cover", type: .binary, allowsExternalBinaryDataStorage: true),
                Attribute("notes", .string), Attribute("page", .binary), Attribute("due", .date),
            ]
        )
    ])

    /// Repairs a book with one value in a column without a type; returns the stored value.
    private func repaired(
        _ column: String,
        _ value: String,
        _ options: RepairOptions = RepairOptions(convertsValues: true)
    ) throws -> SQLiteValue? {
        try withFolder { folder in
            let path = folder.appending(path: "Store.sqlite").path
            try createStore(at: path, model: Self.model) { connection, _ throws(StoreError) in
                for sql in [
                    "ALTER TABLE ZBOOK DROP COLUMN \(column)",
                    "ALTER TABLE ZBOOK ADD COLUMN \(column) BLOB",
                    "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, \(column)) VALUES (1, 1, 1, \(value))",
                    "UPDATE Z_PRIMARYKEY SET Z_MAX = 1",
                ] { try connection.execute(sql) }
            }
            let file = try StoreFile(path: path)
            let repair = try StoreRepair(of: file, against: Self.model, options: options)
            #expect(repair.obstacles.isEmpty && repair.remaining.isEmpty, "\(repair)")
            try repair.run(inPlace: path, backup: nil)
            let result = try StoreFile(path: path)
            #expect(try verify(result, against: Self.model) == [])
            return try result.connection.value("SELECT \(column) FROM ZBOOK")
        }
    }

    @Test(arguments: [
        ("0.1 + 0.2", "0.30000000000000004"), ("0.5", "0.5"), ("1e22", "1e+22"),
        ("9007199254740992.0", "9007199254740992.0"),
        ("9223372036854775807", "9223372036854775807"),
    ])
    func `a number becomes a text that has all of its digits`(
        _ number: String,
        _ text: String
    ) throws {
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
    func `a text in ISO 8601 becomes the date that it says`(
        _ text: String,
        _ value: SQLiteValue
    ) throws {
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
        try withFolder { folder in
            let path = folder.appending(path: "Store.sqlite").path
            try createStore(at: path, model: Self.model) { connection, _ throws(StoreError) in
                try connection.execute(
                    "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZDUE) "
                        + "VALUES (1, 1, 1, \(quotedText(text))), (2, 1, 1, '2001-01-01T00:00:01Z')"
                )
                try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 2")
            }
            let repair = try StoreRepair(
                of: path,
                against: Self.model,
                options: RepairOptions(convertsValues: true)
            )
            #expect(repair.steps.map(\.purpose) == ["convert 1 value of 'Book.due' to date"])
            let problems = repair.obstacles.map(\.problem)
            #expect(problems == ["1 value of 'Book.due' (p1) is no date"], "\(problems)")
        }
    }
}

struct HistoryRepairTests {
    private static let model = ManagedObjectModel([
        Entity(
            "Note",
            [Attribute(name: "title", type: .string, preservesValueInHistoryOnDeletion: true)]
        )
    ])

    private func store(_ folder: URL, _ damage: String) throws -> String {
        let path = folder.appending(path: "Store.sqlite").path
        try createStore(
            at: path,
            model: Self.model,
            options: StoreCreationOptions(keepsHistory: true)
        )
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        for sql in [
            "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 1, 1, 'a'), (2, 1, 1, 'b')",
            "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP) VALUES (1, 16002, 700000000), (2, 16002, 700000001)",
            "INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID) VALUES (1, 16001, 0, 1, 1, 1), (2, 16001, 0, 1, 2, 2), (3, 16001, 2, 1, 3, 2)",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 3", damage,
        ] { try connection.execute(sql) }
        return path
    }

    private func rows(_ path: String, _ table: String) throws -> [[SQLiteValue]] {
        try StoreFile(path: path).connection.rows("SELECT * FROM \(table) ORDER BY Z_PK")
    }

    private func faults(_ path: String) throws -> [Diagnostic] {
        try verify(StoreFile(path: path), against: Self.model).filter { $0.severity != .note }
    }

    @Test(arguments: [
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_ENT > 16000",
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 0",
        "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT > 16000",
        "DROP TABLE Z_PRIMARYKEY",
    ])
    func `what the rows still know comes back`(_ damage: String) throws {
        try withFolder { folder in
            let path = try store(folder, damage)
            let before = try ["ZNOTE", "ACHANGE", "ATRANSACTION"].map { table in
                try StoreFile(path: path, requiringSystemTables: false).connection
                    .rows("SELECT * FROM \(table) ORDER BY Z_PK")
            }
            let broken = try StoreFile(path: path, requiringSystemTables: false)
            let repair = try StoreRepair(of: broken, against: Self.model)
            #expect(!repair.steps.isEmpty && repair.obstacles.isEmpty, "\(repair.obstacles)")
            let new = folder.appending(path: "New.sqlite").path
            try repair.run(from: broken, toNewFile: new)
            let left = try faults(new)
            #expect(left.isEmpty, "\(left)")
            let after = try ["ZNOTE", "ACHANGE", "ATRANSACTION"].map { try rows(new, $0) }
            #expect(after == before)
        }
    }

    @Test func `changes of no transaction are asked for, and go where history is pruned`() throws {
        try withFolder { folder in
            let path = try store(folder, "DELETE FROM ATRANSACTION WHERE Z_PK = 2")
            let found = try faults(path)
            #expect(found.map(\.rule.rawValue) == ["orphaned-change"])
            #expect(found.first?.count == 2 && found.first?.keys == [2, 3])
            let asked = try StoreRepair(of: path, against: Self.model)
            #expect(asked.steps.isEmpty)
            #expect(asked.obstacles.first?.remedy.text(in: .code).contains("History") == true)
            let notes = try rows(path, "ZNOTE")
            let repair = try StoreRepair(
                of: path,
                against: Self.model,
                options: RepairOptions(historyStart: 0)
            )
            #expect(repair.obstacles.isEmpty)
            try repair.run(inPlace: path, backup: nil)
            #expect(try faults(path).isEmpty)
            #expect(try rows(path, "ACHANGE").map(\.first) == [.integer(1)])
            #expect(try rows(path, "ATRANSACTION").count == 1)
            #expect(try rows(path, "ZNOTE") == notes)
        }
    }
}

struct RepairLostTableTests {
    private static let fixture = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite").path

    /// Copies the fixture and damages the copy, which is closed afterwards.
    private static func damaged(_ folder: URL, _ statements: [String]) throws -> String {
        let path = folder.appending(path: "Store.sqlite").path
        try StoreFile(path: fixture).connection
            .copy(into: SQLiteConnection(path: path, mode: .create))
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        try connection.execute("PRAGMA journal_mode = DELETE")
        for sql in statements { try connection.execute(sql) }
        return path
    }

    private static func rows(of path: String) throws -> [String: [[SQLiteValue]]] {
        let connection = try StoreFile(path: path, requiringSystemTables: false).connection
        let tables = try connection.rows(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'Z%' "
                + "AND name NOT IN ('Z_METADATA', 'Z_PRIMARYKEY', 'Z_MODELCACHE')"
        ).compactMap(\.first?.text)
        var rows: [String: [[SQLiteValue]]] = [:]
        for table in tables {
            rows[table] = try connection.rows("SELECT * FROM \(quotedIdentifier(table))")
        }
        return rows
    }

    @Test(arguments: [
        ["Z_METADATA"], ["Z_PRIMARYKEY"], ["Z_METADATA", "Z_PRIMARYKEY"],
        ["Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE"],
    ])
    func `lost tables come back, and no row changes`(_ tables: [String]) throws {
        let original = try StoreFile(path: Self.fixture)
        let model = try #require(embeddedModel(of: original))
        try withFolder { folder in
            let path = try Self.damaged(folder, tables.map { "DROP TABLE \($0)" })
            let before = try Self.rows(of: path)
            let store = try StoreFile(path: path, requiringSystemTables: false)
            let repair = try StoreRepair(of: store, against: model)
            #expect(repair.obstacles.isEmpty, "\(repair.obstacles)")
            #expect(repair.remaining.isEmpty, "\(repair.remaining)")
            let new = folder.appending(path: "New.sqlite").path
            try repair.run(from: store, toNewFile: new)
            let repaired = try StoreFile(path: new)
            #expect(try verify(repaired, against: model).filter { $0.severity != .note }.isEmpty)
            #expect(try repaired.metadata().hashes == versionHashes(of: model))
            #expect(try !repaired.metadata().uuid.isEmpty)
            #expect(try Self.rows(of: new) == before)
            let keys = try repaired.primaryKeys()
            for key in try original.primaryKeys() {
                let found = keys.first { $0.number == key.number }
                #expect(found?.name == key.name && found?.superNumber == key.superNumber)
                // A key that no row has any more is lost with the table.
                #expect(found.map { $0.maximumKey <= key.maximumKey } == true)
            }
            #expect(try StoreRepair(of: repaired, against: model).isEmpty)
        }
    }

    @Test func `a model that does not fit every table restores none`() throws {
        let original = try StoreFile(path: Self.fixture)
        var model = try #require(embeddedModel(of: original))
        model.entities[0].attributes.append(Attribute("further", .string))
        try withFolder { folder in
            let path = try Self.damaged(
                folder,
                ["DROP TABLE Z_METADATA", "DROP TABLE Z_PRIMARYKEY"]
            )
            let store = try StoreFile(path: path, requiringSystemTables: false)
            let repair = try StoreRepair(of: store, against: model)
            #expect(repair.steps.isEmpty && repair.obstacles.count == 1, "\(repair.obstacles)")
        }
    }

    @Test func `numbers that are those of no entity are no proof`() throws {
        let model = try #require(embeddedModel(of: StoreFile(path: Self.fixture)))
        try withFolder { folder in
            let path = try Self.damaged(
                folder,
                ["UPDATE ZBOOK SET Z_ENT = 77", "DROP TABLE Z_PRIMARYKEY"]
            )
            let store = try StoreFile(path: path, requiringSystemTables: false)
            let repair = try StoreRepair(of: store, against: model)
            #expect(repair.steps.isEmpty)
            #expect(repair.obstacles.first?.problem.contains("ZBOOK") == true)
        }
    }
}

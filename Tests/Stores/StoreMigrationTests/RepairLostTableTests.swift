import CorpusStores
import Diagnostics
import Foundation
import ModelHashing
import ObjectModel
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

@testable import StoreMigration

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
        model.entities[0].attributes.append(Attribute(name: "further", type: .string))
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

import Diagnostics
import Foundation
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct HistoryRepairTests {
    private static let model = ManagedObjectModel(entities: [
        Entity(
            name: "Note",
            attributes: [
                Attribute(name: "title", type: .string, preservesValueInHistoryOnDeletion: true)
            ]
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
            let asked = try StoreRepair(of: StoreFile(path: path), against: Self.model)
            #expect(asked.steps.isEmpty)
            #expect(asked.obstacles.first?.remedy.text(in: .code).contains("History") == true)
            let notes = try rows(path, "ZNOTE")
            let repair = try StoreRepair(
                of: StoreFile(path: path),
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

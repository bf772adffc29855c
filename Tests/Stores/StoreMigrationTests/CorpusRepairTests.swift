import CorpusStores
import Diagnostics
import Foundation
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct CorpusRepairTests {
    private struct Damage {
        var name: String
        var statement: String
        var table: String
    }

    /// Damage to the rows of a store, also in sub-entities, links, join tables and history.
    private func damages(_ model: ManagedObjectModel, _ layout: StoreLayout) -> [Damage] {
        var damages: [Damage] = []
        func add(_ name: String, _ statement: String, _ table: String) {
            damages.append(Damage(name: name, statement: statement, table: table))
        }
        for table in layout.tables {
            let name = quotedIdentifier(table.name)
            let row = "WHERE Z_PK = (SELECT max(Z_PK) FROM \(name))"
            add("no entity", "UPDATE \(name) SET Z_ENT = 9999 \(row)", table.name)
            for entity in layout.entities where table.entities.contains(entity.name) {
                add(
                    "another entity",
                    "UPDATE \(name) SET Z_ENT = \(entity.number) \(row)",
                    table.name
                )
            }
            for column in table.columns {
                let key = quotedIdentifier(column.name)
                switch column.role {
                case .attribute:
                    add("no value", "UPDATE \(name) SET \(key) = NULL \(row)", table.name)
                    add("wrong type", "UPDATE \(name) SET \(key) = 'x' \(row)", table.name)
                    add("wrong type", "UPDATE \(name) SET \(key) = x'00' \(row)", table.name)
                case .toOne:
                    add("no link", "UPDATE \(name) SET \(key) = NULL \(row)", table.name)
                    add("dangling", "UPDATE \(name) SET \(key) = 88888 \(row)", table.name)
                case .toOneEntity, .orderKey, .toManyOwner, .toManyOwnerOrderKey:
                    add("no companion", "UPDATE \(name) SET \(key) = NULL", table.name)
                    add(
                        "equal companions",
                        "UPDATE \(name) SET \(key) = 1 WHERE \(key) NOT NULL",
                        table.name
                    )
                case .primaryKey, .entityNumber, .optimisticLock: break
                }
            }
        }
        for join in layout.joinTables {
            let name = quotedIdentifier(join.name)
            let key = quotedIdentifier(join.second.name)
            let row = "WHERE rowid = (SELECT max(rowid) FROM \(name))"
            add("dangling", "UPDATE \(name) SET \(key) = 88888 \(row)", join.name)
            for side in [join.first, join.second].compactMap(\.orderKey) {
                add("no order", "UPDATE \(name) SET \(quotedIdentifier(side)) = NULL", join.name)
            }
        }
        add(
            "history's keys",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_ENT > 16000",
            "Z_PRIMARYKEY"
        )
        add("no parents", "UPDATE Z_PRIMARYKEY SET Z_SUPER = 0", "Z_PRIMARYKEY")
        return damages
    }

    private func rows(of path: String) throws -> [String: Set<[SQLiteValue]>] {
        let connection = try StoreFile(path: path).connection
        let tables = try connection.rows(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
        ).compactMap(\.first?.text)
        var all: [String: Set<[SQLiteValue]>] = [:]
        for table in tables where !table.hasPrefix("sqlite_") {
            all[table] = Set(try connection.rows("SELECT * FROM \(quotedIdentifier(table))"))
        }
        return all
    }

    private func faults(of path: String, _ model: ManagedObjectModel) throws -> [String] {
        try verifyContents(of: StoreFile(path: path), against: model, checksFiles: false)
            .filter { $0.severity != .note }
            .map { "\($0.rule.rawValue) \($0.entity ?? "") \($0.property ?? "")" }
    }

    @Test(arguments: storesWithModel)
    func `damaged rows are restored or asked for, and no other row changes`(_ path: String) throws {
        let store = try StoreFile(path: path)
        let model = try #require(embeddedModel(of: store))
        let layout = try storedLayout(of: model, store.metadata(), store.schema())
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        let limit = Sweep.count(size > 1 << 20 ? 12 : 60, every: 5)
        var (repaired, asked) = (0, 0)
        try withFolder { folder in
            let whole = folder.appending(path: "whole.sqlite").path
            try store.connection.copy(into: SQLiteConnection(path: whole, mode: .create))
            let healthy = try faults(of: whole, model)
            let before = try rows(of: whole)
            let all = damages(model, layout)
            for place in stride(from: 0, to: all.count, by: max(1, all.count / limit)) {
                let damage = all[place]
                let broken = folder.appending(path: "\(place).sqlite").path
                defer { try? FileManager.default.removeItem(atPath: broken) }
                try store.connection.copy(into: SQLiteConnection(path: broken, mode: .create))
                guard try execute(damage.statement, on: broken) else { continue }
                let damaged = try faults(of: broken, model)
                let repair = try StoreRepair(
                    of: broken,
                    against: model,
                    options: RepairOptions(convertsValues: true, clearsLinks: true)
                )
                let isAsked = !repair.obstacles.isEmpty || !repair.remaining.isEmpty
                #expect(!repair.isEmpty || damaged == healthy, "\(path): \(damage)")
                guard !isAsked || !healthy.isEmpty else {
                    asked += 1
                    continue
                }
                guard repair.obstacles.isEmpty else { continue }
                try repair.run(inPlace: broken, backup: nil)
                let left = try faults(of: broken, model).filter { !healthy.contains($0) }
                #expect(left.isEmpty, "\(path): \(damage): \(left)")
                let after = try rows(of: broken)
                for (table, rows) in before where !touched(repair, damage).contains(table) {
                    #expect(after[table] == rows, "\(path): \(damage): \(table)")
                }
                repaired += 1
            }
        }
        print("\(repaired) damages of rows repaired, \(asked) asked for: \(path)")
        #expect(repaired > 0 || asked > 0)
    }

    /// Runs a statement, and closes the store; `false` when the store refuses it.
    private func execute(_ statement: String, on path: String) throws -> Bool {
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        try connection.registerTriggerFunctions()
        return (try? connection.execute(statement)) != nil
    }

    private func touched(_ repair: StoreRepair, _ damage: Damage) -> Set<String> {
        var tables: Set = [damage.table]
        for step in repair.steps {
            switch step.change.action {
            case .rows(.write(let table, _, _, _, _)), .rows(.remove(let table, _, _, _)):
                tables.insert(table)
            case .rows(.renumberLists(let keys, _)): tables.insert(keys.table)
            case .rows(.raiseKey), .rows(.replaceRecord): tables.insert("Z_PRIMARYKEY")
            default: break
            }
        }
        return tables
    }
}

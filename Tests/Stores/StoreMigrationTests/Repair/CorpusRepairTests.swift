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

    /// What is dropped of a schema, and the records of its entities.
    private func drops(of store: StoreFile, _ layout: StoreLayout) throws -> [Damage] {
        let present = Set(try store.schema().map(\.name))
        func drop(_ kind: String, _ names: [String]) -> [Damage] {
            names.filter(present.contains).map { name in
                Damage(name: kind, statement: "DROP \(kind) \(quotedIdentifier(name))", table: name)
            }
        }
        func records(_ statement: String) -> Damage {
            Damage(name: "records", statement: statement, table: "Z_PRIMARYKEY")
        }
        let columns = layout.tables.filter { present.contains($0.name) }.flatMap { table in
            table.columns.filter { $0.role != .primaryKey }.map { column in
                let (table, column) = (table.name, quotedIdentifier(column.name))
                let sql = "ALTER TABLE \(quotedIdentifier(table)) DROP COLUMN \(column)"
                return Damage(name: "column", statement: sql, table: table)
            }
        }
        return drop("INDEX", layout.indexes.map(\.name))
            + drop("TRIGGER", layout.triggers.map(\.name))
            + drop("TABLE", layout.joinTables.map(\.name) + layout.tables.map(\.name))
            + layout.entities.map { records("DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = \($0.number)") }
            + [records("UPDATE Z_PRIMARYKEY SET Z_MAX = 0")] + columns
    }

    /// Damage to the rows of a store, also in sub-entities, links, join tables and history.
    private func damages(_ layout: StoreLayout) -> [Damage] {
        var damages: [Damage] = []
        func add(_ name: String, _ table: String, _ change: String) {
            let statement = "UPDATE \(quotedIdentifier(table)) SET \(change)"
            damages.append(Damage(name: name, statement: statement, table: table))
        }
        for table in layout.tables {
            let row = "WHERE Z_PK = (SELECT max(Z_PK) FROM \(quotedIdentifier(table.name)))"
            add("no entity", table.name, "Z_ENT = 9999 \(row)")
            for entity in layout.entities where table.entities.contains(entity.name) {
                add("another entity", table.name, "Z_ENT = \(entity.number) \(row)")
            }
            for column in table.columns {
                let key = quotedIdentifier(column.name)
                switch column.role {
                case .attribute:
                    add("no value", table.name, "\(key) = NULL \(row)")
                    add("wrong type", table.name, "\(key) = 'x' \(row)")
                    add("wrong type", table.name, "\(key) = x'00' \(row)")
                case .toOne:
                    add("no link", table.name, "\(key) = NULL \(row)")
                    add("dangling", table.name, "\(key) = 88888 \(row)")
                case .toOneEntity, .orderKey, .toManyOwner, .toManyOwnerOrderKey:
                    add("no companion", table.name, "\(key) = NULL")
                    add("equal companions", table.name, "\(key) = 1 WHERE \(key) NOT NULL")
                case .primaryKey, .entityNumber, .optimisticLock: break
                }
            }
        }
        for join in layout.joinTables {
            let row = "WHERE rowid = (SELECT max(rowid) FROM \(quotedIdentifier(join.name)))"
            add("dangling", join.name, "\(quotedIdentifier(join.second.name)) = 88888 \(row)")
            for side in [join.first, join.second].compactMap(\.orderKey) {
                add("no order", join.name, "\(quotedIdentifier(side)) = NULL")
            }
        }
        add("history's keys", "Z_PRIMARYKEY", "Z_MAX = 0 WHERE Z_ENT > 16000")
        add("no parents", "Z_PRIMARYKEY", "Z_SUPER = 0")
        return damages
    }

    private func faults(of store: TestStore) throws -> [String] {
        try verifyContents(of: store.file(), against: store.model, checksFiles: false)
            .filter { $0.severity != .note }
            .map { "\($0.rule.rawValue) \($0.entity ?? "") \($0.property ?? "")" }
    }

    /// Repairs copies with some of the damages; `body` answers whether one was repaired or asked for.
    private func sweep(
        _ store: StoreFile,
        _ damages: [Damage],
        _ limit: Int,
        _ body: (TestStore, Damage) throws -> Bool?
    ) throws -> (repaired: Int, asked: Int) {
        var (repaired, asked) = (0, 0)
        for place in stride(from: 0, to: damages.count, by: max(1, damages.count / limit)) {
            try withCopy(of: store) { broken in
                // SQLite refuses some, as for a column that an index needs.
                guard (try? broken.execute(damages[place].statement)) != nil else { return }
                guard let isRepaired = try body(broken, damages[place]) else { return }
                if isRepaired { repaired += 1 } else { asked += 1 }
            }
        }
        print("\(repaired) kinds of damage repaired, \(asked) asked for: \(store.path)")
        return (repaired, asked)
    }

    @Test(arguments: storesWithModel)
    func `what is dropped comes back, or is asked for`(_ path: String) throws {
        let store = try StoreFile(path: path)
        let model = try #require(embeddedModel(of: store))
        let layout = try storedLayout(of: model, store.metadata(), store.schema())
        func faults(_ store: TestStore) throws -> Set<String> {
            Set(
                try store.faults().map {
                    "\($0.rule.rawValue) \($0.entity ?? "") \($0.property ?? "") \($0.message)"
                }
            )
        }
        var healthy: Set<String> = []
        try withCopy(of: store) { healthy = try faults($0) }
        let found = try sweep(store, drops(of: store, layout), 60) { broken, damage in
            let before = try broken.contents(without: [damage.table])
            let repair = try broken.repair(RepairOptions(allowsDataLoss: true))
            guard repair.obstacles.isEmpty else {
                #expect(repair.obstacles.allSatisfy { !$0.remedy.text(in: .code).isEmpty })
                return false
            }
            try repair.run(inPlace: broken.path, backup: nil)
            let left = try faults(broken).subtracting(healthy)
            #expect(left.isEmpty, "\(path): \(damage): \(left.sorted())")
            #expect(try broken.contents(without: [damage.table]) == before, "\(damage)")
            let again = try broken.repair()
            #expect(again.steps.isEmpty, "\(damage): \(again.steps.map(\.purpose))")
            return true
        }
        #expect(found.repaired > found.asked, "\(path): \(found)")
    }

    @Test(arguments: storesWithModel)
    func `damaged rows are restored or asked for, and no other row changes`(_ path: String) throws {
        let store = try StoreFile(path: path)
        let model = try #require(embeddedModel(of: store))
        let layout = try storedLayout(of: model, store.metadata(), store.schema())
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        let limit = Sweep.count(size > 1 << 20 ? 12 : 60, every: 5)
        var healthy: [String] = []
        var before: [String: [[SQLiteValue]]] = [:]
        try withCopy(of: store) { whole in
            (healthy, before) = (try faults(of: whole), try whole.contents(without: []))
        }
        let found = try sweep(store, damages(layout), limit) { broken, damage in
            let damaged = try faults(of: broken)
            let repair = try broken.repair(RepairOptions(convertsValues: true, clearsLinks: true))
            let isAsked = !repair.obstacles.isEmpty || !repair.remaining.isEmpty
            #expect(!repair.isEmpty || damaged == healthy, "\(path): \(damage)")
            guard !isAsked || !healthy.isEmpty else { return false }
            guard repair.obstacles.isEmpty else { return nil }
            try repair.run(inPlace: broken.path, backup: nil)
            let left = try faults(of: broken).filter { !healthy.contains($0) }
            #expect(left.isEmpty, "\(path): \(damage): \(left)")
            let after = try broken.contents(without: [])
            for (table, rows) in before where !touched(repair, damage).contains(table) {
                #expect(after[table] == rows, "\(path): \(damage): \(table)")
            }
            return true
        }
        #expect(found.repaired > 0 || found.asked > 0)
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

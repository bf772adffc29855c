import CorpusStores
import Diagnostics
import Foundation
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

extension TestStore {
    func faults() throws -> [Diagnostic] { try findings().filter { $0.severity != .note } }

    /// Repairs in one run, after which verification and repair find nothing.
    @discardableResult
    func cure(_ options: RepairOptions = RepairOptions()) throws -> StoreRepair {
        let repair = try repair(options)
        #expect(repair.obstacles.isEmpty, "\(repair.obstacles)")
        #expect(repair.remaining.isEmpty && !repair.steps.isEmpty, "\(repair.remaining)")
        try repair.run(inPlace: path, backup: nil)
        let left = try faults()
        #expect(left.isEmpty, "\(left)")
        #expect(try self.repair().isEmpty)
        return repair
    }

    /// What a repair without options asks for.
    func asked() throws -> [String] {
        let repair = try repair()
        #expect(repair.remaining.isEmpty, "\(repair.remaining)")
        return repair.obstacles.map { "\($0.problem): \($0.remedy.text(in: .code))" }
    }

    /// A store that may lack tables of the system.
    func broken() throws -> StoreFile { try StoreFile(path: path, requiringSystemTables: false) }

    func contents(
        without left: Set<String> = ["Z_METADATA", "Z_MODELCACHE"]
    ) throws -> [String: [[SQLiteValue]]] { try broken().contents(without: left) }
}

extension StoreFile {
    /// The rows of all tables but some.
    func contents(without left: Set<String>) throws -> [String: [[SQLiteValue]]] {
        let names = try connection.rows(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
        ).compactMap(\.first?.text)
        var contents: [String: [[SQLiteValue]]] = [:]
        for name in names
        where !left.contains(name) && !name.hasPrefix("sqlite_") {
            let table = quotedIdentifier(name)
            let width = try connection.rows("SELECT 1 FROM pragma_table_info('\(name)')").count
            let order = (1...max(1, width)).map(String.init).joined(separator: ", ")
            contents[name] = try connection.rows("SELECT * FROM \(table) ORDER BY \(order)")
        }
        return contents
    }
}

/// A copy of a store, with damage.
func withCopy(
    of original: StoreFile,
    _ model: ManagedObjectModel,
    _ damage: [String] = [],
    _ body: (TestStore) throws -> Void
) throws {
    try withFolder { folder in
        let store = TestStore(folder: folder, model: model)
        try original.connection.copy(into: SQLiteConnection(path: store.path, mode: .create))
        try store.execute(["PRAGMA journal_mode = DELETE"] + damage)
        try body(store)
    }
}

/// A copy of the library's store, with damage.
func withLibraryStore(_ damage: String..., body: (TestStore) throws -> Void) throws {
    let fixture = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite").path
    let store = try StoreFile(path: fixture)
    try withCopy(of: store, #require(embeddedModel(of: store)), damage, body)
}

struct RepairTests {
    private static let model = modelOf(
        "Book: title! pages:integer16 cover>Cover.book; Cover: book>Book.cover"
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
            let said = "write 1 link of 'Book.cover' that 'Cover.book' has"
            let steps = try store.cure().steps
            #expect(steps.map(\.purpose) == [said])
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
            let repair = try store.repair(RepairOptions([.clearLinks]))
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
            let purposes = zip(repair.steps.map(\.purpose), [" 8 old changes ", " 4 old trans"])
            #expect(repair.steps.count == 2 && purposes.allSatisfy { $0.contains($1) })
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
        _ model: ManagedObjectModel,
        _ damages: [Damage],
        _ limit: Int,
        _ body: (TestStore, Damage) throws -> Bool?
    ) throws -> (repaired: Int, asked: Int) {
        var (repaired, asked) = (0, 0)
        for place in stride(from: 0, to: damages.count, by: max(1, damages.count / limit)) {
            try withCopy(of: store, model) { broken in
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
        try withCopy(of: store, model) { healthy = try faults($0) }
        let found = try sweep(store, model, drops(of: store, layout), 60) { broken, damage in
            let before = try broken.contents(without: [damage.table])
            let repair = try broken.repair(RepairOptions([.createEmptyTables]))
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
        try withCopy(of: store, model) { whole in
            (healthy, before) = (try faults(of: whole), try whole.contents(without: []))
        }
        let found = try sweep(store, model, damages(layout), limit) { broken, damage in
            let damaged = try faults(of: broken)
            let repair = try broken.repair(RepairOptions([.convertValues, .clearLinks]))
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
            case .rows(.setKey), .rows(.replaceRecord): tables.insert("Z_PRIMARYKEY")
            default: break
            }
        }
        return tables
    }
}

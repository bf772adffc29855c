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
    private struct Damage: CustomStringConvertible {
        var description: String
        var statements: [String]
        var tables: Set<String>
    }

    private func damages(of path: String, _ layout: StoreLayout) throws -> [Damage] {
        let connection = try StoreFile(path: path).connection
        let present = Set(
            try connection.rows("SELECT name FROM sqlite_master").compactMap(\.first?.text)
        )
        func drop(_ kind: String, _ names: [String]) -> [Damage] {
            names.filter(present.contains).map { name in
                let sql = "DROP \(kind) \(quotedIdentifier(name))"
                return Damage(description: sql, statements: [sql], tables: [name])
            }
        }
        var damages =
            drop("INDEX", layout.indexes.map(\.name)) + drop("TRIGGER", layout.triggers.map(\.name))
            + drop("TABLE", layout.joinTables.map(\.name) + layout.tables.map(\.name))
        for entity in layout.entities {
            let sql = "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = \(entity.number)"
            damages.append(Damage(description: sql, statements: [sql], tables: ["Z_PRIMARYKEY"]))
        }
        damages.append(
            Damage(
                description: "Z_MAX",
                statements: ["UPDATE Z_PRIMARYKEY SET Z_MAX = 0"],
                tables: ["Z_PRIMARYKEY"]
            )
        )
        for table in layout.tables where present.contains(table.name) {
            for column in table.columns where column.role != .primaryKey {
                let sql =
                    "ALTER TABLE \(quotedIdentifier(table.name)) DROP COLUMN \(quotedIdentifier(column.name))"
                damages.append(Damage(description: sql, statements: [sql], tables: [table.name]))
            }
        }
        return damages
    }

    private func contents(of path: String, without tables: Set<String>) throws -> [String: Int] {
        let connection = try StoreFile(path: path).connection
        let names = try connection.rows(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
        ).compactMap(\.first?.text)
        var contents: [String: Int] = [:]
        for name in names where !tables.contains(name) && !name.hasPrefix("sqlite_") {
            contents[name] = try connection.rows("SELECT * FROM \(quotedIdentifier(name))")
                .hashValue
        }
        return contents
    }

    private func faults(of path: String, _ model: ManagedObjectModel) throws -> Set<String> {
        let findings = try verify(StoreFile(path: path), against: model)
        return Set(
            findings.filter { $0.severity != .note }.map {
                "\($0.rule.rawValue) \($0.entity ?? "") \($0.property ?? "") \($0.message)"
            }
        )
    }

    @Test(arguments: storesWithModel)
    func `what is dropped comes back, or is asked for`(_ path: String) throws {
        let store = try StoreFile(path: path)
        let model = try #require(embeddedModel(of: store))
        let layout = try storedLayout(of: model, store.metadata(), store.schema())
        var (repaired, asked) = (0, 0)
        try withFolder { folder in
            let whole = folder.appending(path: "whole.sqlite").path
            try copy(store, to: whole)
            let healthy = try faults(of: whole, model)
            for (place, damage) in try damages(of: path, layout).strided(to: 60).enumerated() {
                let broken = folder.appending(path: "\(place).sqlite").path
                try copy(store, to: broken)
                guard try apply(damage, to: broken) else { continue }
                let before = try contents(of: broken, without: damage.tables)
                let options = RepairOptions(allowsDataLoss: true)
                let repair = try StoreRepair(of: broken, against: model, options: options)
                guard repair.obstacles.isEmpty else {
                    #expect(repair.obstacles.allSatisfy { !$0.remedy.text(in: .code).isEmpty })
                    asked += 1
                    continue
                }
                try repair.run(inPlace: broken, backup: nil)
                let left = try faults(of: broken, model).subtracting(healthy)
                #expect(left.isEmpty, "\(path): \(damage): \(left.sorted())")
                #expect(try contents(of: broken, without: damage.tables) == before, "\(damage)")
                let again = try StoreRepair(of: broken, against: model)
                #expect(again.steps.isEmpty, "\(damage): \(again.steps.map(\.purpose))")
                repaired += 1
            }
        }
        print("\(repaired) kinds of damage repaired, \(asked) asked for: \(path)")
        #expect(repaired > asked, "\(path): \(repaired) repaired, \(asked) asked for")
    }

    private func copy(_ store: StoreFile, to path: String) throws {
        try store.connection.copy(into: SQLiteConnection(path: path, mode: .create))
    }

    /// Does the damage; `false` when SQLite refuses it, as for a column that an index needs.
    private func apply(_ damage: Damage, to path: String) throws -> Bool {
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        try connection.registerTriggerFunctions()
        for sql in damage.statements { do { try connection.execute(sql) } catch { return false } }
        return true
    }

    private static let model: ManagedObjectModel = {
        let title = Attribute("title", .string, isOptional: false)
        let pages = Attribute("pages", .integer16)
        func one(_ name: String, _ destination: String, _ inverse: String) -> Relationship {
            Relationship.one(name, destination, inverse)
        }
        return ManagedObjectModel([
            Entity("Book", [title, pages], relationships: [one("cover", "Cover", "book")]),
            Entity("Cover", relationships: [one("book", "Book", "cover")]),
        ])
    }()

    private func damaged(_ folder: URL, _ statements: String...) throws -> String {
        let path = folder.appending(path: "Store.sqlite").path
        try createStore(at: path, model: Self.model)
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        for sql in [
            "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZCOVER) VALUES (1, 1, 1, 'a', 1), (2, 1, 1, 'b', 2)",
            "INSERT INTO ZCOVER (Z_PK, Z_ENT, Z_OPT, ZBOOK) VALUES (1, 2, 1, 1), (2, 2, 1, 2)",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 2",
        ] + statements { try connection.execute(sql) }
        return path
    }

    @Test func `links that one side knows are written on the other`() throws {
        try withFolder { folder in
            let path = try damaged(folder, "UPDATE ZBOOK SET ZCOVER = NULL WHERE Z_PK = 2")
            let repair = try StoreRepair(of: path, against: Self.model)
            #expect(
                repair.steps.map(\.purpose) == [
                    "write 1 link of 'Book.cover' that 'Cover.book' knows"
                ]
            )
            try repair.run(inPlace: path, backup: nil)
            #expect(try faults(of: path, Self.model).isEmpty)
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
        try withFolder { folder in
            let path = try damaged(
                folder,
                "UPDATE ZBOOK SET ZCOVER = NULL WHERE Z_PK = 2",
                "UPDATE Z_PRIMARYKEY SET Z_MAX = 1",
                trigger
            )
            try StoreRepair(of: path, against: Self.model)
                .run(inPlace: path, backup: nil)
            let store = try StoreFile(path: path)
            let rows = "SELECT Z_PK, ZTITLE, ZCOVER FROM ZBOOK ORDER BY Z_PK"
            #expect(
                try store.connection.rows(rows) == [
                    [.integer(1), .text("a"), .integer(1)], [.integer(2), .text("b"), .integer(2)],
                ]
            )
            let covers = try store.connection.rows("SELECT ZBOOK FROM ZCOVER ORDER BY Z_PK")
            #expect(covers == [[.integer(1)], [.integer(2)]])
            let left = "SELECT sql FROM sqlite_master WHERE type = 'trigger'"
            #expect(try store.connection.value(left)?.text == trigger)
        }
    }

    @Test func `a required value that is gone is asked for by its name`() throws {
        try withFolder { folder in
            let path = try damaged(folder, "ALTER TABLE ZBOOK DROP COLUMN ZTITLE")
            let store = try StoreFile(path: path)
            let asking = try StoreRepair(of: store, against: Self.model)
            #expect(asking.obstacles.map(\.asksFor) == ["Book.title"])
            let repair = try StoreRepair(
                of: store,
                against: Self.model,
                options: RepairOptions(values: ["Book.title": .string("it's")])
            )
            let new = folder.appending(path: "New.sqlite").path
            try repair.run(from: store, toNewFile: new)
            let titles = try StoreFile(path: new).connection.rows(
                "SELECT DISTINCT ZTITLE FROM ZBOOK"
            )
            #expect(titles == [[.text("it's")]])
            #expect(try faults(of: new, Self.model).isEmpty)
        }
    }

    @Test func `links that lead nowhere go only when that is agreed to`() throws {
        try withFolder { folder in
            let path = try damaged(
                folder,
                "UPDATE ZBOOK SET ZCOVER = 9 WHERE Z_PK = 1",
                "DELETE FROM ZCOVER WHERE Z_PK = 1"
            )
            let store = try StoreFile(path: path)
            #expect(try StoreRepair(of: store, against: Self.model).obstacles.count == 1)
            let repair = try StoreRepair(
                of: store,
                against: Self.model,
                options: RepairOptions(clearsLinks: true)
            )
            #expect(repair.obstacles.isEmpty)
            try repair.run(inPlace: path, backup: folder.appending(path: "Old.sqlite").path)
            #expect(try faults(of: path, Self.model).isEmpty)
        }
    }

    @Test func `history that is older than a moment goes, the rest stays`() throws {
        try withFolder { folder in
            let path = folder.appending(path: "Store.sqlite").path
            try createStore(
                at: path,
                model: Self.model,
                options: StoreCreationOptions(keepsHistory: true)
            )
            let connection = try SQLiteConnection(path: path, mode: .readWrite)
            for place in 1...10 {
                try connection.execute(
                    "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP) VALUES (\(place), 16002, \(place)00)"
                )
                try connection.execute(
                    "INSERT INTO ACHANGE (Z_ENT, ZTRANSACTIONID) VALUES (16001, \(place)), (16001, \(place))"
                )
            }
            try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 20 WHERE Z_ENT > 16000")
            let repair = try StoreRepair(
                of: path,
                against: Self.model,
                options: RepairOptions(historyStart: 401)
            )
            #expect(
                repair.steps.map(\.purpose)
                    == [
                        "remove 8 old changes from the history",
                        "remove 4 old transactions from the history",
                    ]
            )
            let new = folder.appending(path: "New.sqlite").path
            try repair.run(from: StoreFile(path: path), toNewFile: new)
            let result = try StoreFile(path: new).connection
            #expect(try result.value("SELECT count(*) FROM ACHANGE")?.integer == 12)
            #expect(try result.value("SELECT min(Z_PK) FROM ATRANSACTION")?.integer == 5)
        }
    }

    @Test func `a store of another version is not touched`() throws {
        try withFolder { folder in
            let path = try damaged(folder)
            var other = Self.model
            other.entities[0].attributes[0].isOptional = true
            let repair = try StoreRepair(of: path, against: other)
            #expect(repair.steps.isEmpty && repair.obstacles.count == 1)
        }
    }
}

extension Array {
    fileprivate func strided(to limit: Int) -> [Element] {
        guard count > limit else { return self }
        return stride(from: 0, to: count, by: Swift.max(1, count / limit)).map { self[$0] }
    }
}

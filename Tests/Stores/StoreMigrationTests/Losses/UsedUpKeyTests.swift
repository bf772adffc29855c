import Diagnostics
import MappingInference
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

/// Stores whose greatest assigned key leaves none for new objects, and rows with such keys.
struct UsedUpKeyTests {
    private static let old = modelOf("Item: name; Part: name")
    private static let new = modelOf("Item: name note; Part: name")
    private static let rows =
        inserts("Item", "ZNAME", "'a'; 'b'") + inserts("Part", "ZNAME", "'c'")
        + ["UPDATE Z_PRIMARYKEY SET Z_MAX = 2"]
    private static let moving = "entities: [{from: Part, to: Item}, {from: Item, to: Item}]"
    private static let staying = "entities: [{from: Part, to: Part}, {from: Item, to: Item}]"

    /// Marks all keys of an entity as assigned.
    private func useUp(_ entity: String, upTo key: Int64 = .max) -> String {
        "UPDATE Z_PRIMARYKEY SET Z_MAX = \(key) WHERE Z_NAME = '\(entity)'"
    }

    private func withDamage(_ sql: String, _ body: (TestStore) throws -> Void) throws {
        try withStore(Self.old, Self.rows) { store in
            try store.execute([sql])
            try body(store)
        }
    }

    @Test(arguments: [Int64.max, Int64.max - 1, Int64(1) << 52])
    func `a map that makes objects is refused before anything is written`(key: Int64) throws {
        try withDamage(useUp("Item", upTo: key)) { store in
            let migration = try store.migration(to: Self.new, by: .mapped(Self.moving))
            let findings = try migration.findings(in: store.file())
            #expect(findings.map(\.risk.kind) == [.noKeysLeft(root: "Item")])
            #expect(findings.map(\.count) == [1])
            let before = try store.contents(without: [])
            let error = #expect(throws: StoreMigrationError.self) {
                try migration.runInPlace(path: store.path, options: .agreed)
            }
            #expect(error?.description.contains("Z_MAX of 'Item'") == true)
            #expect(try store.contents(without: []) == before)
        }
    }

    private static let split =
        "entities: [{from: Part, to: Part}, {from: Item, to: Item, where: name = 'a'}, "
        + "{from: Item, to: Item, where: name != 'a'}]"

    @Test(arguments: [(moving, "Part"), (staying, "Item"), (split, "Item")])
    func `a map that makes no such objects is not`(map: String, entity: String) throws {
        try withDamage(useUp(entity)) { store in
            let migration = try store.migration(to: Self.new, by: .mapped(map))
            #expect(try migration.findings(in: store.file()) == [])
            let damage = try migration.damage(in: store.file()).map(\.finding.rule)
            #expect(damage == [.noKeysLeft])
            _ = try store.result(of: migration)
        }
    }

    @Test func `a script and Swift code get no key either`() throws {
        let works: [CustomStageWork] = [
            .before("INSERT INTO Item (name) VALUES ('new')"),
            .before { try $0.insert("Item", ["name": .text("new")]) },
        ]
        for work in works {
            try withDamage(useUp("Item")) { store in
                let error = #expect(throws: StoreMigrationError.self) {
                    try store.migrate(to: Self.new, by: work)
                }
                #expect(error?.description.contains("keys left") == true)
            }
        }
    }

    @Test func `a repair lowers the greatest assigned key to the greatest used one`() throws {
        try withDamage(useUp("Item")) { store in
            #expect(try store.faults().map(\.rule) == [.noKeysLeft])
            try store.cure()
            let greatest = "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Item'"
            #expect(try store.texts(greatest) == ["2"])
        }
    }

    @Test func `a row with too great a key stays as it is, and everything reports it`() throws {
        let key = Int64.max
        try withDamage("INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT) VALUES (\(key), 1, 1)") { store in
            let migration = try store.migration(to: Self.new, by: .mapped(Self.moving))
            let damage = try migration.damage(in: store.file())
            #expect(damage.map(\.finding.rule) == [.excessiveKey])
            #expect(damage.map(\.finding.keys) == [[key]])
            let repair = try store.repair()
            #expect(repair.remaining.map(\.rule) == [.excessiveKey])
            let moved = try store.result(of: migration)
            let keys = try moved.texts("SELECT Z_PK FROM ZITEM ORDER BY 1")
            #expect(keys == ["1", "2", "3", "\(key)"])
        }
    }
}

import CorpusStores
import Foundation
import MigrationPlanning
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct UntouchedRowTests {
    private func rows(of path: String, without left: Set<String>) throws -> [String:
        [[SQLiteValue]]]
    {
        let connection = try StoreFile(path: path).connection
        let names = try connection.rows(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
        ).compactMap(\.first?.text)
        var all: [String: [[SQLiteValue]]] = [:]
        for name in names where !left.contains(name) {
            all[name] = try connection.rows(
                "SELECT * FROM \(quotedIdentifier(name)) ORDER BY rowid"
            )
        }
        return all
    }

    private func objects(of path: String, without table: String) throws -> [String: String] {
        Dictionary(
            try StoreFile(path: path).schema().filter { $0.table != table }
                .map { ("\($0.kind) \($0.name)", $0.sql) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    @Test(arguments: Sweep.part(of: storesWithModel, every: 2))
    func `rows and objects of other entities are byte for byte what they were`(_ path: String)
        throws
    {
        let store = try StoreFile(path: path)
        let old = try #require(embeddedModel(of: store))
        let layout = try storedLayout(of: old, store.metadata(), store.schema())
        let number = try #require(old.entities.firstIndex { $0.parentEntity == nil })
        var new = old
        new.entities[number].attributes.append(
            Attribute(name: "momtoolAdded", type: .string)
        )
        let table = try #require(layout.table(of: old.entities[number].name)?.name)
        try withFolder { folder in
            let copy = folder.appending(path: "New.sqlite").path
            let migration = try Migration(
                of: store,
                from: ModelVersion(model: old),
                to: ModelVersion(model: new)
            )
            try migration.run(from: store, toNewFile: copy, options: MigrationOptions())
            let always: Set = ["Z_METADATA", "Z_MODELCACHE", "Z_PRIMARYKEY", table]
            let before = try rows(of: path, without: always)
            let after = try rows(of: copy, without: always)
            #expect(Set(before.keys) == Set(after.keys), "\(path)")
            for (name, rows) in before { #expect(after[name] == rows, "\(path): \(name)") }
            let (left, right) = (
                try objects(of: path, without: table), try objects(of: copy, without: table)
            )
            #expect(left == right, "\(path)")
            // In the table itself the old columns keep their values.
            let columns = try store.connection.rows(
                "SELECT name FROM pragma_table_info(?)",
                [.text(table)]
            ).compactMap(\.first?.text)
            let list = columns.map(quotedIdentifier).joined(separator: ", ")
            let sql = "SELECT \(list) FROM \(quotedIdentifier(table)) ORDER BY Z_PK"
            #expect(
                try store.connection.rows(sql) == StoreFile(path: copy).connection.rows(sql),
                "\(path)"
            )
        }
    }
}

import Diagnostics
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

/// Two damages at once: what a repair asks for is all that it needs, and then verification finds nothing.
struct SeveralDamagesTests {
    private static let model: ManagedObjectModel = {
        var model = modelOf(
            "Agent: name authors>>Author.agent; Author: name! agent>Agent.authors books>>>Book.authors",
            "Book: title! pages:integer16 when:date authors>>Author.books shelf>Shelf.books! tags>>Tag.books",
            "Novel/Book: plot; Shelf: books>>>Book.shelf; Tag: label books>>Book.tags"
        )
        model.entities[0].relationships[0].deleteRule = .cascade
        return model
    }()

    private static let joins = StoreLayout(model: model).joinTables

    /// Statements that each damage the store of the sample, and that can be mended.
    private static let damages: [String] = {
        let (list, set) = (joins[0], joins[1])
        let insertions = [list, set].map { join in
            "INSERT INTO \(join.name) (\(join.first.name), \(join.second.name)) VALUES (77, 1)"
        }
        return insertions + [
            "UPDATE ZBOOK SET ZTITLE = NULL WHERE Z_PK = 1", "UPDATE ZBOOK SET ZTITLE = x'ff'",
            "UPDATE ZAUTHOR SET ZNAME = NULL", "UPDATE ZBOOK SET ZPAGES = 'twelve' WHERE Z_PK = 2",
            "UPDATE ZBOOK SET ZWHEN = x'01' WHERE Z_PK = 1", "DELETE FROM ZAGENT WHERE Z_PK = 1",
            "UPDATE ZAUTHOR SET ZAGENT = 99 WHERE Z_PK = 1", "UPDATE ZBOOK SET ZSHELF = 99",
            "UPDATE ZBOOK SET ZSHELF = NULL WHERE Z_PK = 1", "DELETE FROM ZSHELF WHERE Z_PK = 1",
            "UPDATE ZAUTHOR SET Z_ENT = NULL WHERE Z_PK = 1", "UPDATE ZAUTHOR SET Z_ENT = 3",
            "UPDATE ZBOOK SET Z_ENT = 42 WHERE Z_PK = 1", "UPDATE ZTAG SET Z_ENT = 1",
            "DELETE FROM ZBOOK WHERE Z_PK = 2", "DROP TABLE ZTAG", "DROP TABLE ZAGENT",
            "DROP TABLE ZSHELF", "DROP TABLE ZBOOK", "DROP TABLE \(set.name)",
            "DROP TABLE \(list.name)", "ALTER TABLE ZTAG DROP COLUMN ZLABEL",
            "ALTER TABLE ZBOOK DROP COLUMN ZTITLE", "DROP TABLE Z_PRIMARYKEY",
            "DELETE FROM Z_PRIMARYKEY", "UPDATE Z_PRIMARYKEY SET Z_MAX = 0",
            "DELETE FROM Z_METADATA", "UPDATE Z_METADATA SET Z_PLIST = x'00'",
            "DROP TABLE Z_MODELCACHE", "UPDATE ZBOOK SET Z_FOK_SHELF = NULL",
            "UPDATE \(list.name) SET \(list.columnNames[2]) = 1", "DROP INDEX ZBOOK_ZSHELF_INDEX",
        ]
    }()

    private static let pairs = damages.indices.flatMap { first in
        damages[(first + 1)...].map { [damages[first], $0] }
    }

    @Test func `what is asked for at once is all that is needed`() throws {
        try withSample(Self.model, rows: 3) { sample in
            let original = try sample.file()
            for pair in Sweep.part(of: Self.pairs, every: 11) {
                try withCopy(of: original, Self.model) { store in
                    // The second one may have lost its table to the first.
                    guard (try? store.execute(pair)) != nil else { return }
                    try Self.mend(store, pair)
                }
            }
        }
    }

    @Test func `a number that no entity and no table has is a warning, and goes`() throws {
        let model = modelOf("A: a; B: b")
        let ghost = "INSERT INTO Z_PRIMARYKEY VALUES (3, 'Ghost', 0, 9)"
        try withSample(model, [ghost], rows: 3) { store in
            let found = try store.findings()
            #expect(found.map(\.rule) == [.entityNumbers] && found[0].severity == .warning)
            try withCopy(of: store.file(), model) { copy in
                let new = modelOf("A: a; B: b; C: c")
                try copy.migrate(to: new)
                #expect(try copy.findings(new).isEmpty)
            }
            let repair = try StoreRepair(of: store.broken(), against: model)
            #expect(repair.obstacles.isEmpty && repair.remaining.isEmpty, "\(repair)")
            try repair.run(inPlace: store.path, backup: nil)
            #expect(try store.findings().isEmpty)
        }
        // Of an entity of another version there is a table.
        try withSample(model, [ghost, "CREATE TABLE ZGHOST (Z_PK INTEGER)"], rows: 3) { store in
            let found = try store.findings().filter { $0.rule == .entityNumbers }
            #expect(found.map(\.severity) == [.error])
        }
    }

    private static func mend(_ store: TestStore, _ pair: [String]) throws {
        var options = RepairOptions()
        options.isOwnModel = true
        var repair = try StoreRepair(of: store.broken(), against: model, options: options)
        let obstacles = repair.obstacles
        for obstacle in obstacles {
            // Where only a person knows, a statement says what to do first.
            let text = obstacle.remedy.text(in: .code)
            #expect(!obstacle.advice.isEmpty || text.contains("DELETE FROM "), "\(pair): \(text)")
            if let statement = text.firstMatch(of: /DELETE FROM .*?(?=, and then)/),
                obstacle.advice.isEmpty
            {
                try store.execute(String(statement.output))
                options.decisions.insert(.clearLinks)
            }
        }
        options.decisions.formUnion(obstacles.flatMap(\.advice))
        for name in obstacles.compactMap(\.asksFor)
        where !options.decisions.contains(.clearValues(of: name)) {
            options.values[name] = .string("x")
        }
        repair = try StoreRepair(of: store.broken(), against: model, options: options)
        #expect(repair.obstacles.isEmpty && repair.remaining.isEmpty, "\(pair): \(repair)")
        try repair.run(inPlace: store.path, backup: nil)
        #expect(try store.faults().isEmpty, "\(pair)")
    }

    /// What has the name of a lost table or index, or belongs to a table under another name.
    @Test(arguments: [
        ["ALTER TABLE ZNOTICE RENAME TO q", "CREATE VIEW ZNOTICE AS SELECT * FROM q"],
        ["ALTER TABLE ZNOTICE RENAME TO q", "ALTER TABLE q RENAME TO znotice"],
        ["DROP TABLE ZNOTICE", "CREATE INDEX znotice ON ZBOOK (Z_PK)"],
    ])
    func `nothing is created under the name of another object`(_ damage: [String]) throws {
        try withLibraryStore { store in
            try store.execute(damage)
            for options in [RepairOptions(), RepairOptions([.createEmptyTables])] {
                let found = try store.repair(options).obstacles.map(\.problem)
                #expect(found.contains { $0.contains("the name") }, "\(found)")
            }
        }
    }

    @Test func `a table of the system without a column is reported by the column`() throws {
        for (table, column) in [("Z_PRIMARYKEY", "Z_MAX"), ("Z_METADATA", "Z_UUID")] {
            try withLibraryStore { store in
                try store.execute("ALTER TABLE \(table) DROP COLUMN \(column)")
                let reason = "the table \(table) has no column \(column)"
                let error = StoreError.damagedMetadata(path: store.path, reason: reason)
                #expect(throws: error) { try store.file() }
                #expect(throws: error) { try store.broken() }
            }
        }
    }
}

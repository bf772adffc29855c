import CorpusStores
import Diagnostics
import Foundation
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration
import TestSupport
import Testing

struct RepairRestoringTests {
    private static let model = modelOf(
        "Folder: keeper>Keeper.folder",
        "Keeper: folder>Folder.keeper",
        "Part: size:integer16",
        "Wheel/Part"
    )

    private static let rows = [
        "INSERT INTO ZFOLDER (Z_PK, Z_ENT, Z_OPT, ZKEEPER) VALUES (1, 1, 1, 1), (2, 1, 1, 2)",
        "INSERT INTO ZKEEPER (Z_PK, Z_ENT, Z_OPT, ZFOLDER) VALUES (1, 2, 1, 1), (2, 2, 1, 2)",
        "INSERT INTO ZPART (Z_PK, Z_ENT, Z_OPT, ZSIZE) VALUES (1, 3, 1, 5), (2, 4, 1, 6)",
        "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP) VALUES (1, 16002, 700000000)",
        "INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID) VALUES (1, 16001, 0, 1, 1, 1)",
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_ENT < 4",
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_ENT IN (16001, 16002)",
    ]

    private func with(
        version: Int? = nil,
        _ damage: [String],
        _ body: (TestStore) throws -> Void
    ) throws {
        try withFolder { folder in
            let store = TestStore(folder: folder, model: Self.model)
            var options = StoreCreationOptions(keepsHistory: true)
            if let version { options.layout.frameworkVersion = version }
            try createStore(at: store.path, model: Self.model, options: options)
            try store.execute(Self.rows + damage)
            try body(store)
        }
    }

    private func faults(_ store: TestStore) throws -> [String] {
        try store.faults().map(\.rule.rawValue)
    }

    /// Makes the join table of authors and books anew, without its key.
    private static let unkeyed = [
        "CREATE TABLE old AS SELECT * FROM Z_1BOOKS", "DROP TABLE Z_1BOOKS",
        "CREATE TABLE Z_1BOOKS (Z_1AUTHORS INTEGER, Z_2BOOKS INTEGER)",
        "INSERT INTO Z_1BOOKS SELECT * FROM old",
    ]

    @Test func `links that are there twice go, and all others stay`() throws {
        try withLibraryStore { store in
            let before = try store.contents()
            let twice = ["INSERT INTO Z_1BOOKS SELECT * FROM old LIMIT 3", "DROP TABLE old"]
            try store.execute(Self.unkeyed + twice)
            #expect(try Set(faults(store)) == ["duplicate-link", "missing-primary-key"])
            #expect(try store.cure().steps.allSatisfy { $0.lost == nil })
            #expect(try store.contents() == before)
        }
    }

    @Test func `a join table gets its primary key back, with all that is on it`() throws {
        try withLibraryStore { store in
            let query = "SELECT sql FROM sqlite_master WHERE tbl_name = 'Z_1BOOKS' ORDER BY sql"
            let (before, schema) = (try store.contents(), try store.texts(query))
            let own = [
                "CREATE INDEX mine ON Z_1BOOKS (Z_2BOOKS)",
                "CREATE TRIGGER own AFTER DELETE ON Z_1BOOKS BEGIN SELECT 1; END",
            ]
            try store.execute(Self.unkeyed + ["DROP TABLE old"] + own)
            #expect(try faults(store) == ["missing-primary-key"])
            try store.cure()
            #expect(try store.contents() == before)
            let texts = try store.texts(query)
            #expect(texts.filter { !own.contains($0) } == schema)
            #expect(own.allSatisfy { texts.contains($0) })
        }
    }

    @Test func `a join table with columns of the app's own is not made anew`() throws {
        try withLibraryStore(
            "CREATE TABLE old AS SELECT *, 1 AS mine FROM Z_1BOOKS",
            "DROP TABLE Z_1BOOKS",
            "ALTER TABLE old RENAME TO Z_1BOOKS"
        ) { store in
            let asked = try store.asked()
            #expect(asked.count == 1 && asked[0].contains("columns of its own: mine"), "\(asked)")
        }
    }

    @Test func `a lost join table is created where its loss is allowed`() throws {
        try withLibraryStore("DROP TABLE Z_1BOOKS") { store in
            let asked = try store.asked()
            #expect(asked.count == 1)
            #expect(asked[0].contains("'Author.books' between 6 of 'Author' and 11 of 'Book'"))
            #expect(asked[0].contains("empty with .createEmptyTables"))
            try store.cure(RepairOptions(allowsDataLoss: true))
        }
        try withLibraryStore("DROP TABLE Z_1BOOKS", "DELETE FROM ZAUTHOR") { try $0.cure() }
    }

    @Test(arguments: [
        ("ACHANGE", "up to 1 row of persistent history"),
        ("ATRANSACTION", "up to 1 row of persistent history"), ("ATRANSACTIONSTRING", nil),
    ])
    func `lost tables of history are seen, and asked for by what they held`(
        _ table: String,
        _ lost: String?
    ) throws {
        try with(["DROP TABLE \(table)"]) { store in
            #expect(try faults(store) == ["missing-table"])
            if let lost {
                let asked = try store.asked()
                let count = table == "ATRANSACTION" ? 2 : 1
                #expect(asked.count == count && asked[0].contains(lost), "\(asked)")
            }
            try store.cure(RepairOptions(allowsDataLoss: true, historyStart: 0))
        }
    }

    @Test(arguments: [
        (
            // The layout of a table of mirroring is not known.
            [
                "INSERT INTO Z_PRIMARYKEY VALUES (16004, 'NSCKRecordMetadata', 0, 5)",
                "CREATE TABLE ANSCKEVENT (Z_PK INTEGER PRIMARY KEY)",
            ], "up to 5 rows"
        ),
        (
            ["DROP INDEX ZPART_Z_ENT_INDEX", "ALTER TABLE ZPART DROP COLUMN Z_ENT"],
            "its 2 rows (Z_ENT)"
        ),
    ])
    func `what cannot be made up is asked for, not a failure`(
        _ damage: [String],
        _ words: String
    ) throws {
        try with(damage) { store in
            let asked = try store.asked()
            #expect(asked.count == 1 && asked[0].contains(words), "\(asked)")
        }
    }

    @Test func `a store without any table of history is sound`() throws {
        let tables = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]
        try with(tables.map { "DROP TABLE \($0)" }) { store in
            let found = try store.findings()
            #expect(found.map(\.rule.rawValue) == Array(repeating: "missing-table", count: 3))
            #expect(found.allSatisfy { $0.severity == .note })
            #expect(try store.repair().isEmpty)
        }
    }

    @Test func `changes of an entity that the model does not have are a note`() throws {
        try with(["UPDATE ACHANGE SET ZENTITY = 77"]) { store in
            let found = try store.findings()
            #expect(found.map(\.severity) == [.note])
            #expect(found.first?.keys == [1])
        }
    }

    @Test(arguments: [
        ["UPDATE Z_PRIMARYKEY SET Z_ENT = 99 WHERE Z_NAME = 'Keeper'"],
        [
            "UPDATE Z_PRIMARYKEY SET Z_ENT = 99 WHERE Z_NAME = 'Keeper'",
            "UPDATE ZKEEPER SET Z_ENT = 99",
        ],
        ["INSERT INTO Z_PRIMARYKEY VALUES (99, 'Keeper', 0, 1)"],
        // It points at an object that another has.
        ["UPDATE ZKEEPER SET ZFOLDER = 2 WHERE Z_PK = 1"],
    ])
    func `the number of a name and the link that an object claims come back`(
        _ damage: [String]
    ) throws {
        try with([]) { store in
            let before = try store.contents()
            try store.execute(damage)
            try store.cure()
            #expect(try store.contents() == before)
        }
    }

    @Test func `what points at an object that another has stays where no other claims it`() throws {
        let damage = [
            "UPDATE ZKEEPER SET ZFOLDER = 2 WHERE Z_PK = 1",
            "UPDATE ZFOLDER SET ZKEEPER = NULL WHERE Z_PK = 1",
        ]
        try with(damage) { store in
            let repair = try store.repair()
            #expect(repair.steps.isEmpty && !repair.remaining.isEmpty)
        }
    }

    @Test(arguments: [(637, true), (519, false)])
    func `the table of the model cache comes back in a store of a system that has one`(
        _ version: Int,
        _ isRestored: Bool
    ) throws {
        try with(version: version, ["DROP TABLE Z_MODELCACHE"]) { store in
            #expect(try store.repair().steps.isEmpty != isRestored)
            guard isRestored else { return }
            try store.cure()
            #expect(try store.file().modelArchive()?.isEmpty == false)
        }
    }
}

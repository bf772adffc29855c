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
    private static let fixture = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite").path

    private static func one(_ name: String, _ destination: String, _ inverse: String)
        -> Relationship
    {
        Relationship.one(name, destination, inverse)
    }

    private static let model = ManagedObjectModel([
        Entity("Folder", relationships: [one("keeper", "Keeper", "folder")]),
        Entity("Keeper", relationships: [one("folder", "Folder", "keeper")]),
        Entity("Part", [Attribute("size", .integer16)]), Entity("Wheel", parentEntity: "Part"),
    ])

    private func store(_ folder: URL, version: Int? = nil, _ damage: [String]) throws -> String {
        let path = folder.appending(path: "Store.sqlite").path
        var options = StoreCreationOptions(keepsHistory: true)
        if let version { options.layout.frameworkVersion = version }
        try createStore(at: path, model: Self.model, options: options)
        try execute(
            [
                "INSERT INTO ZFOLDER (Z_PK, Z_ENT, Z_OPT, ZKEEPER) VALUES (1, 1, 1, 1), (2, 1, 1, 2)",
                "INSERT INTO ZKEEPER (Z_PK, Z_ENT, Z_OPT, ZFOLDER) VALUES (1, 2, 1, 1), (2, 2, 1, 2)",
                "INSERT INTO ZPART (Z_PK, Z_ENT, Z_OPT, ZSIZE) VALUES (1, 3, 1, 5), (2, 4, 1, 6)",
                "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP) VALUES (1, 16002, 700000000)",
                "INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID) VALUES (1, 16001, 0, 1, 1, 1)",
                "UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_ENT < 4",
                "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_ENT IN (16001, 16002)",
            ] + damage,
            path
        )
        return path
    }

    private func library(_ folder: URL, _ damage: [String]) throws -> String {
        let path = folder.appending(path: "Library.sqlite").path
        try StoreFile(path: Self.fixture).connection
            .copy(into: SQLiteConnection(path: path, mode: .create))
        try execute(["PRAGMA journal_mode = DELETE"] + damage, path)
        return path
    }

    private func execute(_ statements: [String], _ path: String) throws {
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        for sql in statements { try connection.execute(sql) }
    }

    private func rows(_ path: String) throws -> [String: [[SQLiteValue]]] {
        let connection = try StoreFile(path: path).connection
        let names = try connection.rows(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('Z_METADATA', 'Z_MODELCACHE')"
        ).compactMap(\.first?.text)
        var rows: [String: [[SQLiteValue]]] = [:]
        for name in names {
            rows[name] = try connection.rows(
                "SELECT * FROM \(quotedIdentifier(name)) ORDER BY 1, 2"
            )
        }
        return rows
    }

    private func faults(_ path: String, _ model: ManagedObjectModel) throws -> [String] {
        try verify(StoreFile(path: path), against: model).filter { $0.severity != .note }
            .map(\.rule.rawValue)
    }

    /// Repairs a store, after which it is sound, and a second repair finds nothing.
    private func cure(
        _ path: String,
        _ model: ManagedObjectModel,
        _ options: RepairOptions = RepairOptions()
    ) throws -> StoreRepair {
        let repair = try StoreRepair(of: path, against: model, options: options)
        #expect(repair.obstacles.isEmpty, "\(repair.obstacles)")
        #expect(repair.remaining.isEmpty && !repair.steps.isEmpty, "\(repair.remaining)")
        try repair.run(inPlace: path, backup: nil)
        #expect(try faults(path, model) == [])
        #expect(try StoreRepair(of: path, against: model).isEmpty)
        return repair
    }

    private func asked(_ path: String, _ model: ManagedObjectModel) throws -> [String] {
        let repair = try StoreRepair(of: path, against: model)
        #expect(repair.remaining.isEmpty, "\(repair.remaining)")
        return repair.obstacles.map { "\($0.problem): \($0.remedy.text(in: .code))" }
    }

    @Test func `links that are there twice go, and all others stay`() throws {
        let model = try #require(embeddedModel(of: StoreFile(path: Self.fixture)))
        try withFolder { folder in
            let path = try library(folder, [])
            let before = try rows(path)
            try execute(
                [
                    "CREATE TABLE old AS SELECT * FROM Z_1BOOKS", "DROP TABLE Z_1BOOKS",
                    "CREATE TABLE Z_1BOOKS (Z_1AUTHORS INTEGER, Z_2BOOKS INTEGER)",
                    "INSERT INTO Z_1BOOKS SELECT * FROM old",
                    "INSERT INTO Z_1BOOKS SELECT * FROM old LIMIT 3", "DROP TABLE old",
                ],
                path
            )
            #expect(try Set(faults(path, model)) == ["duplicate-link", "missing-primary-key"])
            #expect(try cure(path, model).steps.allSatisfy { $0.lost == nil })
            #expect(try rows(path) == before)
        }
    }

    @Test func `a join table gets its primary key back, with all that is on it`() throws {
        let model = try #require(embeddedModel(of: StoreFile(path: Self.fixture)))
        try withFolder { folder in
            let path = try library(folder, [])
            let text = "SELECT sql FROM sqlite_master WHERE tbl_name = 'Z_1BOOKS' ORDER BY sql"
            func texts() throws -> [SQLiteValue] {
                try StoreFile(path: path).connection.rows(text).map { $0[0] }
            }
            let (before, schema) = (try rows(path), try texts())
            let own = [
                "CREATE INDEX mine ON Z_1BOOKS (Z_2BOOKS)",
                "CREATE TRIGGER own AFTER DELETE ON Z_1BOOKS BEGIN SELECT 1; END",
            ]
            try execute(
                [
                    "CREATE TABLE old AS SELECT * FROM Z_1BOOKS", "DROP TABLE Z_1BOOKS",
                    "CREATE TABLE Z_1BOOKS (Z_1AUTHORS INTEGER, Z_2BOOKS INTEGER)",
                    "INSERT INTO Z_1BOOKS SELECT * FROM old", "DROP TABLE old",
                ] + own,
                path
            )
            #expect(try faults(path, model) == ["missing-primary-key"])
            _ = try cure(path, model)
            #expect(try rows(path) == before)
            let texts = try texts()
            #expect(texts.filter { !own.contains($0.text ?? "") } == schema)
            #expect(own.allSatisfy { texts.contains(.text($0)) })
        }
    }

    @Test func `a join table with columns of the app's own is not made anew`() throws {
        let model = try #require(embeddedModel(of: StoreFile(path: Self.fixture)))
        try withFolder { folder in
            let path = try library(
                folder,
                [
                    "CREATE TABLE old AS SELECT *, 1 AS mine FROM Z_1BOOKS", "DROP TABLE Z_1BOOKS",
                    "ALTER TABLE old RENAME TO Z_1BOOKS",
                ]
            )
            let asked = try asked(path, model)
            #expect(asked.count == 1 && asked[0].contains("columns of its own: mine"), "\(asked)")
        }
    }

    @Test func `a lost join table is created where its loss is allowed`() throws {
        let model = try #require(embeddedModel(of: StoreFile(path: Self.fixture)))
        try withFolder { folder in
            let path = try library(folder, ["DROP TABLE Z_1BOOKS"])
            let asked = try asked(path, model)
            #expect(asked.count == 1)
            #expect(asked[0].contains("'Author.books' between 6 of 'Author' and 11 of 'Book'"))
            #expect(asked[0].contains("empty with .createEmptyTables"))
            _ = try cure(path, model, RepairOptions(allowsDataLoss: true))
        }
        try withFolder { folder in
            let path = try library(folder, ["DROP TABLE Z_1BOOKS", "DELETE FROM ZAUTHOR"])
            _ = try cure(path, model)
        }
    }

    @Test(arguments: [
        ("ACHANGE", "up to 1 row of persistent history"),
        ("ATRANSACTION", "up to 1 row of persistent history"), ("ATRANSACTIONSTRING", nil),
    ])
    func `lost tables of history are seen, and asked for by what they held`(
        _ table: String,
        _ lost: String?
    ) throws {
        try withFolder { folder in
            let path = try store(folder, ["DROP TABLE \(table)"])
            #expect(try faults(path, Self.model) == ["missing-table"])
            if let lost {
                let asked = try asked(path, Self.model)
                let count = table == "ATRANSACTION" ? 2 : 1
                #expect(asked.count == count && asked[0].contains(lost), "\(asked)")
            }
            let options = RepairOptions(allowsDataLoss: true, historyStart: 0)
            _ = try cure(path, Self.model, options)
        }
    }

    @Test func `a table of mirroring whose layout is not known is not made up`() throws {
        try withFolder { folder in
            let row = "INSERT INTO Z_PRIMARYKEY VALUES (16004, 'NSCKRecordMetadata', 0, 5)"
            let other = "CREATE TABLE ANSCKEVENT (Z_PK INTEGER PRIMARY KEY)"
            let asked = try asked(try store(folder, [row, other]), Self.model)
            #expect(asked.count == 1 && asked[0].contains("up to 5 rows"), "\(asked)")
        }
    }

    @Test func `a store without any table of history is sound`() throws {
        try withFolder { folder in
            let tables = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]
            let path = try store(folder, tables.map { "DROP TABLE \($0)" })
            let found = try verify(StoreFile(path: path), against: Self.model)
            #expect(
                found.map(\.rule.rawValue) == ["missing-table", "missing-table", "missing-table"]
            )
            #expect(found.allSatisfy { $0.severity == .note })
            #expect(try StoreRepair(of: path, against: Self.model).isEmpty)
        }
    }

    @Test func `changes of an entity that the model does not have are a note`() throws {
        try withFolder { folder in
            let path = try store(folder, ["UPDATE ACHANGE SET ZENTITY = 77"])
            let found = try verify(StoreFile(path: path), against: Self.model)
            #expect(found.map(\.severity) == [.note])
            #expect(found.first?.keys == [1])
        }
    }

    @Test func `rows without the column of their entities are asked for, not a failure`() throws {
        try withFolder { folder in
            let path = try store(
                folder,
                ["DROP INDEX ZPART_Z_ENT_INDEX", "ALTER TABLE ZPART DROP COLUMN Z_ENT"]
            )
            let asked = try asked(path, Self.model)
            #expect(asked.count == 1 && asked[0].contains("its 2 rows (Z_ENT)"), "\(asked)")
        }
    }

    @Test(arguments: [
        ["UPDATE Z_PRIMARYKEY SET Z_ENT = 99 WHERE Z_NAME = 'Keeper'"],
        [
            "UPDATE Z_PRIMARYKEY SET Z_ENT = 99 WHERE Z_NAME = 'Keeper'",
            "UPDATE ZKEEPER SET Z_ENT = 99",
        ],
        ["INSERT INTO Z_PRIMARYKEY VALUES (99, 'Keeper', 0, 1)"],
    ])
    func `a row of Z_PRIMARYKEY has the number of its name again`(_ damage: [String]) throws {
        try withFolder { folder in
            let path = try store(folder, [])
            let before = try rows(path)
            try execute(damage, path)
            _ = try cure(path, Self.model)
            #expect(try rows(path) == before)
        }
    }

    @Test func `what points at an object that another has goes back to the one that claims it`()
        throws
    {
        try withFolder { folder in
            let path = try store(folder, [])
            let before = try rows(path)
            try execute(["UPDATE ZKEEPER SET ZFOLDER = 2 WHERE Z_PK = 1"], path)
            _ = try cure(path, Self.model)
            #expect(try rows(path) == before)
        }
        try withFolder { folder in
            let path = try store(
                folder,
                [
                    "UPDATE ZKEEPER SET ZFOLDER = 2 WHERE Z_PK = 1",
                    "UPDATE ZFOLDER SET ZKEEPER = NULL WHERE Z_PK = 1",
                ]
            )
            let repair = try StoreRepair(of: path, against: Self.model)
            #expect(repair.steps.isEmpty && !repair.remaining.isEmpty)
        }
    }

    @Test(arguments: [(637, true), (519, false)])
    func `the table of the model cache comes back in a store of a system that has one`(
        _ version: Int,
        _ isRestored: Bool
    ) throws {
        try withFolder { folder in
            let path = try store(folder, version: version, ["DROP TABLE Z_MODELCACHE"])
            let store = try StoreFile(path: path)
            #expect(try StoreRepair(of: store, against: Self.model).steps.isEmpty != isRestored)
            guard isRestored else { return }
            _ = try cure(path, Self.model)
            #expect(try StoreFile(path: path).modelArchive()?.isEmpty == false)
        }
    }
}

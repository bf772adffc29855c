import Foundation
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

struct RescueTests {
    private static let fixture = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite")

    private struct Report: Decodable {
        struct Way: Decodable {
            var advice: String
            var command: String?
        }
        var waysOut: [Way]

        var commands: [String] { waysOut.compactMap(\.command) }
    }

    private let model = ["--model", "Library.xcdatamodeld"]

    private func withStore(_ sql: [String], _ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            let store = folder.appending(path: "Shop.sqlite")
            try copyFile(Self.fixture, to: store)
            for statement in sql {
                try SQLiteConnection(path: store.path, mode: .readWrite).execute(statement)
            }
            for file in ["Shop.sqlite-wal", "Shop.sqlite-shm"] {
                try? FileManager.default.removeItem(at: folder.appending(path: file))
            }
            try FileManager.default.createSymbolicLink(
                at: folder.appending(path: "Library.xcdatamodeld"),
                withDestinationURL: Corpus.package.appending(path: "Models/Library.xcdatamodeld")
            )
            try body(folder)
        }
    }

    private func commands(for store: String = "Shop.sqlite", in folder: URL) throws -> Report {
        let result = try momtool(["doctor", store, "--format", "json"] + model, in: folder)
        return try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
    }

    private func value(_ sql: String, _ name: String, in folder: URL) throws -> SQLiteValue? {
        let path = folder.appending(path: name).path
        return try SQLiteConnection(path: path, mode: .readWrite).value(sql)
    }

    private static let stray = "UPDATE ZMEMBER SET Z_ENT = 77 WHERE Z_PK = 1"

    @Test func `rows that repair restores are repaired before anything is migrated`() throws {
        try withStore([Self.stray]) { folder in
            let report = try commands(in: folder)
            let first = try #require(report.commands.first)
            #expect(first.hasPrefix("momtool repair Shop.sqlite "), "\(report.commands)")
            #expect(!report.commands.contains { $0.contains("migrate Shop.sqlite") })
            for command in report.commands.prefix(2) { _ = try shell(command, in: folder) }
            #expect(
                try value(
                    "SELECT count(*) FROM ZMEMBER WHERE Z_ENT = 77",
                    "Repaired.sqlite",
                    in: folder
                )
                    == .integer(0)
            )
            let next = try commands(for: "Repaired.sqlite", in: folder)
            let migrate = try #require(next.commands.first { $0.hasPrefix("momtool migrate ") })
            #expect(try shell(migrate, in: folder).status == 0)
            let count = "SELECT count(*) FROM ZMEMBER"
            #expect(
                try value(count, "Repaired.sqlite", in: folder)
                    == value(count, "Shop.sqlite", in: folder)
            )
        }
    }

    /// Run in order, the commands once migrated a copy together with links that led nowhere.
    @Test(arguments: ["DELETE FROM ZAUTHOR WHERE Z_PK = 1", "DELETE FROM ZBOOK WHERE Z_PK = 1"])
    func `links that lead nowhere are removed before anything is migrated`(_ sql: String) throws {
        try withStore([sql]) { folder in
            let report = try commands(in: folder)
            let first = try #require(report.commands.first)
            #expect(first.hasPrefix("momtool repair Shop.sqlite "), "\(report.commands)")
            #expect(first.contains("--clear-links"), "\(first)")
            #expect(!report.commands.contains { $0.contains("migrate Shop.sqlite") })
            #expect(report.commands[1].hasPrefix("momtool doctor Repaired.sqlite "))
            #expect(try shell(first, in: folder).status == 0)
            let next = try commands(for: "Repaired.sqlite", in: folder)
            let migrate = try #require(next.commands.first { $0.hasPrefix("momtool migrate ") })
            #expect(try shell(migrate, in: folder).status == 0)
            try expectRun(["verify", "Migrated.sqlite"] + model, in: folder, 0)
        }
    }

    @Test
    func `a migration names the repair that restores rows, and no statement that deletes them`()
        throws
    {
        try withStore([Self.stray]) { folder in
            for arguments in [
                ["migrate", "Shop.sqlite", "-o", "New.sqlite"] + model,
                ["plan", "Library.xcdatamodeld", "--store", "Shop.sqlite"],
            ] {
                let result = try momtool(arguments, in: folder)
                let said = result.output + result.errors
                #expect(said.contains("momtool repair Shop.sqlite"), "\(said)")
                #expect(!said.contains("DELETE"), "\(said)")
            }
        }
    }

    @Test func `a table that is gone is created with what the command must be told`() throws {
        try withStore(["DROP TABLE ZLOAN"]) { folder in
            let report = try commands(in: folder)
            let repair = try #require(report.commands.first)
            #expect(repair.contains(" --allow-data-loss "), "\(repair)")
            #expect(try shell(repair, in: folder).status == 0)
            let next = try shell(report.commands[1], in: folder)
            #expect(next.output.contains("V1"), "\(next.output)\(next.errors)")
        }
    }

    /// Changes a table without updating an index.
    private func makeIndexStale(in folder: URL) throws {
        let path = folder.appending(path: "Shop.sqlite").path
        let name = "name = 'ZLOAN_ZMEMBER_INDEX'"
        let first = try SQLiteConnection(path: path, mode: .readWrite)
        let row = try #require(
            first.rows(
                "SELECT type, name, tbl_name, rootpage, sql FROM sqlite_master WHERE \(name)"
            )
            .first
        )
        try first.execute("PRAGMA writable_schema = ON")
        try first.execute("DELETE FROM sqlite_master WHERE \(name)")
        let second = try SQLiteConnection(path: path, mode: .readWrite)
        try second.execute("UPDATE ZLOAN SET ZMEMBER = 3 - ZMEMBER WHERE ZMEMBER < 3")
        try second.execute("PRAGMA writable_schema = ON")
        try second.execute("INSERT INTO sqlite_master VALUES (?, ?, ?, ?, ?)", row)
        try second.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    @Test func `an index that differs from its table is made anew`() throws {
        try withStore([]) { folder in
            try makeIndexStale(in: folder)
            let store = try StoreFile(path: folder.appending(path: "Shop.sqlite").path)
            let faults = try store.integrityFaults()
            #expect(damagedIndexes(by: faults) == ["ZLOAN_ZMEMBER_INDEX"], "\(faults)")
            let dry = try momtool("repair Shop.sqlite", in: folder)
            #expect(dry.status == 1)
            #expect(dry.output.contains("make index ZLOAN_ZMEMBER_INDEX anew"), "\(dry.output)")
            let report = try commands(in: folder)
            #expect(!report.commands.contains { $0.contains(".recover") }, "\(report.commands)")
            let repair = try #require(report.commands.first)
            #expect(try shell(repair, in: folder).status == 0)
            #expect(try momtool("verify Repaired.sqlite", in: folder).status == 0)
            let links = "SELECT group_concat(Z_PK || ' ' || ZMEMBER) FROM ZLOAN NOT INDEXED"
            #expect(
                try value(links, "Repaired.sqlite", in: folder)
                    == value(links, "Shop.sqlite", in: folder)
            )
            #expect(try momtool("repair Shop.sqlite --backup B", in: folder).status == 0)
            #expect(try momtool("verify Shop.sqlite", in: folder).status == 0)
        }
    }

    @Test func `a damaged index of a table that is written is made anew`() throws {
        try withStore([]) { folder in
            try makeIndexStale(in: folder)
            let arguments = ["migrate", "Shop.sqlite", "-o", "New.sqlite", "--check"] + model
            try expectRun(arguments + ["--allow-data-loss"], in: folder, 0)
            let new = try StoreFile(path: folder.appending(path: "New.sqlite").path)
            #expect(try new.integrityFaults().isEmpty)
        }
    }

    @Test(arguments: [
        ("row 6 missing from index a b", ["a b"]),
        ("row 6 values differ from index i", ["i"]),
        ("wrong # of entries in index i", ["i"]),
        ("rowid not at end-of-record for row 6 of index i", ["i"]),
        ("non-unique entry in index i", nil),
        ("Tree 5 page 12: btreeInitPage() returns error code 11", nil),
    ])
    func `what SQLite says is of an index alone`(_ fault: String, _ names: [String]?) {
        #expect(damagedIndexes(by: [fault, fault]) == names)
    }

    @Test func `a file in which more is damaged is not called whole by repair`() throws {
        try withStore([]) { folder in
            let store = folder.appending(path: "Shop.sqlite")
            var bytes = try Data(contentsOf: store)
            bytes.append(Data(repeating: 0xFF, count: 4096))
            let pages = UInt32(bytes.count / 4096)
            bytes.replaceSubrange(28..<32, with: withUnsafeBytes(of: pages.bigEndian) { Data($0) })
            try bytes.write(to: store)
            let result = try momtool("repair Shop.sqlite -o New.sqlite", in: folder)
            #expect(result.status == 3, "\(result.output)\(result.errors)")
            #expect(result.output.contains("the file itself is damaged"), "\(result.output)")
            let report = try commands(in: folder)
            #expect(report.commands.contains { $0.contains(".recover") }, "\(report.commands)")
        }
    }

    @Test func `text that is not UTF-8 is found by every command that looks`() throws {
        let sql = "UPDATE ZBOOK SET ZTITLE = CAST(x'ff41' AS TEXT) WHERE Z_PK = 1"
        try withStore([sql]) { folder in
            let verified = try momtool("verify Shop.sqlite", in: folder)
            #expect(verified.status == 1)
            #expect(verified.output.contains("Book.title: 1 row: text that is not UTF-8 (p1)"))
            try expectRun(["doctor", "Shop.sqlite"] + model, in: folder, nil, "[invalid-text]")
            try expectRun("export Shop.sqlite", in: folder, nil, errors: ["[damaged-value]"])
        }
        try withStore(["UPDATE ZBOOK SET ZTITLE = 'Grüße, 世界 🌍 𝄞' WHERE Z_PK = 1"]) { folder in
            try expectRun("verify Shop.sqlite", in: folder, 0)
        }
    }

    @Test
    func `a store without rows says that its log may be missing, or that keys were handed out`()
        throws
    {
        try withStore([]) { folder in
            let create = ["create", "Empty.sqlite", "--version", "V1"] + model
            #expect(try momtool(create, in: folder).status == 0)
            let empty = folder.appending(path: "Empty.sqlite").path
            let connection = try SQLiteConnection(path: empty, mode: .readWrite)
            try connection.execute("PRAGMA journal_mode = WAL")
            let said = try expectRun("verify Empty.sqlite", in: folder, 0)
            let question = "no rows at all, and no Empty.sqlite-wal beside it"
            #expect(said.output.contains(question), "\(said.output)")
            let report = try commands(for: "Empty.sqlite", in: folder)
            #expect(report.waysOut.first?.advice.contains("look for Empty.sqlite-wal") == true)
            try connection.execute("PRAGMA journal_mode = DELETE")
            #expect(try !momtool("verify Empty.sqlite", in: folder).output.contains("no rows"))
            try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 3000 WHERE Z_NAME = 'Book'")
            try expectRun("verify Empty.sqlite", in: folder, nil, "keys up to 3000 were handed out")
        }
        try withFolder { folder in
            let path = folder.appending(path: "Bare.sqlite").path
            let connection = try SQLiteConnection(path: path, mode: .create)
            try connection.execute("PRAGMA journal_mode = WAL")
            let result = try momtool("verify Bare.sqlite", in: folder)
            #expect(result.errors.contains("was the log copied too?"), "\(result.errors)")
        }
    }

    @Test func `a saved store without its numbers and metadata fits its version`() throws {
        let sql = ["DELETE FROM Z_METADATA", "DELETE FROM Z_PRIMARYKEY", "DROP TABLE Z_MODELCACHE"]
        try withStore(sql) { folder in
            let report = try commands(in: folder)
            let repair = try #require(report.commands.first)
            #expect(repair.contains("Library.xcdatamodeld#V1"), "\(report.commands)")
            #expect(try shell(repair, in: folder).status == 0)
            let rows = try momtool("export \(Self.fixture.path)").output
            #expect(try momtool("export Repaired.sqlite", in: folder).output == rows)
        }
    }

    @Test func `metadata without a list are lost, and their UUID is not`() throws {
        try withStore(["UPDATE Z_METADATA SET Z_PLIST = NULL"]) { folder in
            let doctor = try momtool(["doctor", "Shop.sqlite"] + model, in: folder)
            #expect(doctor.output.contains("what the app kept in the metadata is lost here"))
            #expect(!doctor.output.contains("the UUID of the store"), "\(doctor.output)")
            let v1 = ["--model", "Library.xcdatamodeld#V1"]
            let repair = try momtool(["repair", "Shop.sqlite"] + v1, in: folder)
            #expect(repair.output.contains("(lost: what the app kept in the metadata)"))
            let identified = try expectRun(["identify", "Shop.sqlite"] + model, in: folder, 65)
            #expect(
                identified.errors.contains(
                    "momtool doctor Shop.sqlite --model Library.xcdatamodeld"
                )
            )
        }
    }

    @Test func `tables that every store has are made again, and nothing else is advised`() throws {
        try withStore(["DROP TABLE Z_PRIMARYKEY"]) { folder in
            let report = try commands(in: folder)
            #expect(!report.commands.contains { $0.contains(".recover") }, "\(report.commands)")
            for command in report.commands {
                let ran = try shell(command, in: folder)
                #expect(!ran.errors.contains("error"), "\(command): \(ran.errors)")
            }
        }
    }
}

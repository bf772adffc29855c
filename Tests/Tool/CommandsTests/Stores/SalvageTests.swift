import Foundation
import SQLiteAccess
import TestSupport
import Testing

struct SalvageTests {
    private static let shell = ["/usr/bin/sqlite3", "/usr/local/bin/sqlite3"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    private struct Report: Decodable {
        struct Way: Decodable { var command: String? }
        struct Finding: Decodable { var message: String }
        var findings: [Finding]
        var waysOut: [Way]

        var commands: [String] { waysOut.compactMap(\.command) }
    }

    private static let fixture = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite")

    /// Makes a store with a further table of so many rows, which comes last.
    private func store(rows: Int, at place: URL) throws -> SQLiteConnection {
        try copyFile(Self.fixture, to: place)
        let store = try SQLiteConnection(path: place.path, mode: .readWrite)
        try fill(rows: rows, store)
        return store
    }

    private func fill(rows: Int, _ store: SQLiteConnection) throws {
        try store.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)")
        try store.execute(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows)) "
                + "INSERT INTO t SELECT i, printf('%050d', i) FROM n"
        )
    }

    /// The bytes of a file, of which twenty pages in the middle of that table are damaged.
    private func damaged(_ place: URL, pagesBehind: Int) throws -> Data {
        var bytes = try Data(contentsOf: place)
        let end = bytes.count / 4096 - pagesBehind
        let noise = Data(repeating: 0xFF, count: 20 * 4096)
        bytes.replaceSubrange((end - 20) * 4096..<end * 4096, with: noise)
        return bytes
    }

    @Test(.enabled(if: SalvageTests.shell != nil))
    func `what can be read is saved, of a whole database all`() throws {
        try withFolder { folder in
            let whole = folder.appending(path: "Whole.sqlite")
            let connection = try store(rows: 20000, at: whole)
            try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            let bytes = try damaged(whole, pagesBehind: 150)
            try bytes.write(to: folder.appending(path: "Bad.sqlite"))
            let found = try report("Bad.sqlite", in: folder)
            let line = try #require(found.commands.first { $0.contains(".recover") }, "\(found)")
            let saving = try #require(line.components(separatedBy: " && momtool ").first)
            let saved = try count(saving, of: "Bad", in: folder)
            #expect(saved > 15_000 && saved < 20_000, "\(saved)")
            #expect(try TestSupport.shell(saving, in: folder).status != 0)
            let second = saving.replacing("Bad", with: "Whole")
            #expect(try count(second, of: "Whole", in: folder) == 20_000)
        }
    }

    private func count(_ line: String, of store: String, in folder: URL) throws -> Int64 {
        let new = folder.appending(path: "\(store)-saved/Recovered.sqlite").path
        let ran = try TestSupport.shell(line, in: folder)
        #expect(FileManager.default.fileExists(atPath: new), "\(line): \(ran.errors)")
        let saved = try SQLiteConnection(path: new, mode: .readWrite)
        return try saved.value("SELECT count(*) FROM t")?.integer ?? 0
    }

    private func report(_ store: String = "Shop.sqlite", in folder: URL) throws -> Report {
        let result = try momtool("doctor \(store) --format json", in: folder)
        return try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
    }

    private func strayLog(_ hasFirstPage: Bool, rows: Int, in folder: URL) throws -> Data {
        let path = folder.appending(path: "Other.db").path
        let other = try SQLiteConnection(path: path, mode: .create)
        try other.execute("PRAGMA journal_mode = WAL")
        try fill(rows: rows, other)
        if !hasFirstPage {
            try other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            try other.execute("UPDATE t SET b = printf('%049d', a) WHERE a < 400")
        }
        return try Data(contentsOf: folder.appending(path: "Other.db-wal"))
    }

    /// The log of a larger file leaves the metadata readable.
    @Test(arguments: [(true, 900), (false, 900), (false, 2000)])
    func `a file that is whole without the log beside it is told so`(
        hasFirstPage: Bool,
        rows: Int
    ) throws {
        try withFolder { folder in
            let store = folder.appending(path: "Shop.sqlite")
            try copyFile(Self.fixture, to: store)
            let whole = try Data(contentsOf: store)
            let log = folder.appending(path: "Shop.sqlite-wal")
            let stray = try strayLog(hasFirstPage, rows: rows, in: folder)
            try stray.write(to: log)
            for command in ["export", "repair", "verify"] {
                let result = try momtool("\(command) Shop.sqlite", in: folder)
                let words = result.output + result.errors
                #expect(result.status == 65 && words.contains("write-ahead log"), "\(result)")
            }
            let found = try report(in: folder)
            #expect(found.commands.count == 1, "\(found.commands)")
            let line = try #require(found.commands.first)
            let ran = try TestSupport.shell(line, in: folder)
            #expect(ran.status == 0, "\(line): \(ran.output)\(ran.errors)")
            #expect(try Data(contentsOf: store) == whole)
            #expect(try Data(contentsOf: folder.appending(path: "Shop.sqlite-wal.aside")) == stray)
            try stray.write(to: log)
            #expect(try TestSupport.shell(line, in: folder).status != 0)
        }
    }

    @Test(arguments: ["Z_METADATA", "Z_PRIMARYKEY"])
    func `a log is not blamed for a table that it drops`(_ table: String) throws {
        try withFolder { folder in
            let open = folder.appending(path: "Open.sqlite").path
            try copyFile(Self.fixture, to: URL(filePath: open))
            let connection = try SQLiteConnection(path: open, mode: .readWrite)
            try connection.execute("PRAGMA journal_mode = WAL")
            try connection.execute("DROP TABLE \(table)")
            for suffix in ["", "-wal"] {
                let copy = folder.appending(path: "Shop.sqlite\(suffix)")
                try copyFile(URL(filePath: open + suffix), to: copy)
            }
            withExtendedLifetime(connection) {}
            let found = try report(in: folder)
            #expect(found.findings.contains { $0.message.contains(table) }, "\(found)")
            #expect(!found.commands.contains { $0.contains("-wal.aside") }, "\(found)")
            let result = try momtool("verify Shop.sqlite", in: folder)
            #expect(
                result.status == 65 && (result.output + result.errors).contains(table),
                "\(result)"
            )
        }
    }

    @Test func `what saves rows reads a copy, with the log`() throws {
        try withFolder { folder in
            let whole = folder.appending(path: "Whole.sqlite")
            let connection = try store(rows: 9000, at: whole)
            try connection.execute("PRAGMA journal_mode = WAL")
            try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            try connection.execute("UPDATE ZBOOK SET ZTITLE = 'saved last' WHERE Z_PK = 1")
            let bytes = try damaged(whole, pagesBehind: 60)
            let log = try Data(contentsOf: folder.appending(path: "Whole.sqlite-wal"))
            #expect(!log.isEmpty)
            let apart = folder.appending(path: "Apart")
            try makeFolder(apart)
            try bytes.write(to: apart.appending(path: "Shop.sqlite"))
            try log.write(to: apart.appending(path: "Shop.sqlite-wal"))
            let found = try report(in: apart)
            let line = try #require(found.commands.first { $0.contains(".recover") }, "\(found)")
            #expect(line.contains("cp Shop.sqlite Shop.sqlite-wal Shop-saved/"), "\(line)")
            for command in found.commands { _ = try TestSupport.shell(command, in: apart) }
            #expect(try Data(contentsOf: apart.appending(path: "Shop.sqlite")) == bytes)
            #expect(try Data(contentsOf: apart.appending(path: "Shop.sqlite-wal")) == log)
            let saved = apart.appending(path: "Shop-saved/Recovered.sqlite").path
            let title = try SQLiteConnection(path: saved, mode: .readWrite)
                .value("SELECT ZTITLE FROM ZBOOK WHERE Z_PK = 1")
            #expect(title == .text("saved last"))
        }
    }
}

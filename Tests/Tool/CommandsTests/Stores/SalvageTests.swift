import Foundation
import SQLiteAccess
import TestSupport
import Testing

/// The line that the doctor prints for a damaged file saves its rows with the `sqlite3` of the machine.
struct SalvageTests {
    private static let shell = ["/usr/bin/sqlite3", "/usr/local/bin/sqlite3"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    private struct Report: Decodable {
        struct Way: Decodable {
            var advice: String
            var command: String?
        }
        var waysOut: [Way]
    }

    @Test(.enabled(if: SalvageTests.shell != nil))
    func `what can be read is saved, of a whole database all`() throws {
        try withFolder { folder in
            let whole = folder.appending(path: "Whole.sqlite")
            let fixture = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite")
            try FileManager.default.copyItem(at: fixture, to: whole)
            let connection = try SQLiteConnection(path: whole.path, mode: .readWrite)
            try connection.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)")
            try connection.execute(
                "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) "
                    + "INSERT INTO t SELECT i, printf('%050d', i) FROM n"
            )
            try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            var bytes = try Data(contentsOf: whole)
            // Pages in the middle of the new table, which is last.
            let end = bytes.count / 4096 - 150
            bytes.replaceSubrange(
                (end - 20) * 4096..<end * 4096,
                with: Data(repeating: 0xFF, count: 20 * 4096)
            )
            try bytes.write(to: folder.appending(path: "Bad.sqlite"))
            let result = try momtool(["doctor", "Bad.sqlite", "--format", "json"], in: folder)
            let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
            let line = try #require(
                report.waysOut.compactMap(\.command).first { $0.contains(".recover") },
                "\(result.output)\(result.errors)"
            )
            let saving = try #require(line.components(separatedBy: " && momtool ").first)
            // The keys that were handed out tell what is lost.
            #expect(report.waysOut.contains { $0.advice.contains("'Book' up to") })
            let saved = try count(saving, in: folder)
            #expect(saved > 15_000 && saved < 20_000, "\(saved)")
            #expect(
                try count(saving.replacing("Bad.sqlite", with: "Whole.sqlite"), in: folder)
                    == 20_000
            )
        }
    }

    /// The rows of the table that the shell has made by a line of the doctor.
    private func count(_ line: String, in folder: URL) throws -> Int64 {
        let new = folder.appending(path: "Recovered.sqlite")
        try? FileManager.default.removeItem(at: new)
        let shell = URL(fileURLWithPath: "/bin/sh")
        let ran = try result(of: shell, ["-c", line], in: folder)
        #expect(FileManager.default.fileExists(atPath: new.path), "\(line): \(ran.errors)")
        let rows = try SQLiteConnection(path: new.path, mode: .readWrite)
            .rows("SELECT count(*) FROM t")
        guard case .integer(let count)? = rows.first?.first else { return 0 }
        return count
    }

    /// What is left of a store, and what is said of it: of 60 pages the last three have the schema.
    private static let cuts: [(bytes: Int, hasRows: Bool)] = [
        (40 * 4096, true), (58 * 4096 + 7, true), (2 * 4096, false),
    ]

    /// The line for a store that is cut off made an empty one, where the schema was behind the cut.
    @Test(arguments: SalvageTests.cuts.indices)
    func `a store without its schema has other ways out, or none`(_ index: Int) throws {
        let (count, hasRows) = Self.cuts[index]
        try withFolder { folder in
            let path = folder.appending(path: "Cut.sqlite")
            let fixture = Corpus.package.appending(path: "Fixtures/Library-V1.sqlite")
            try FileManager.default.copyItem(at: fixture, to: path)
            let connection = try SQLiteConnection(path: path.path, mode: .readWrite)
            for number in 1...40 {
                let name = "NAMED_AT_LENGTH_SO_THAT_THE_SCHEMA_NEEDS_PAGES_\(number)"
                try connection.execute("CREATE TABLE \(name) (A INTEGER, B VARCHAR)")
            }
            try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            let bytes = try Data(contentsOf: path)
            #expect(bytes.count == 60 * 4096)
            try bytes.prefix(count).write(to: folder.appending(path: "Bad.sqlite"))
            let result = try momtool(["doctor", "Bad.sqlite", "--format", "json"], in: folder)
            let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
            let said = result.output
            #expect(said.contains("the schema, which names its tables"), "\(said)")
            #expect(said.contains("nothing else can be saved") == !hasRows, "\(said)")
            let lines = report.waysOut.compactMap(\.command)
            #expect(!lines.contains { $0.contains(".dump") }, "\(lines)")
            guard hasRows else {
                #expect(lines.isEmpty, "\(lines)")
                return
            }
            // Only the third line needs no shell that reads pages.
            #expect(lines.count == 3)
            #expect(lines[0].contains("lost_and_found") && lines[2] == "strings Bad.sqlite")
            #expect(said.contains("pages of the file have rows, the first is page 3"), "\(said)")
        }
    }

    @Test func `a store without any bytes is called empty, with what to do`() throws {
        try withFolder { folder in
            try Data().write(to: folder.appending(path: "Shop.sqlite"))
            let result = try momtool(["doctor", "Shop.sqlite"], in: folder)
            #expect(result.status == 1, "\(result.output)\(result.errors)")
            #expect(result.output.contains("the store is empty"), "\(result.output)")
            #expect(result.output.contains("backup"), "\(result.output)")
        }
    }

    @Test func `a new store is named by -o as well`() throws {
        try withFolder { folder in
            let model = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path
            let made = try momtool(["create", "-o", "New.sqlite", "--model", model], in: folder)
            #expect(made.status == 0, "\(made.errors)")
            #expect(
                try momtool(["verify", "New.sqlite", "--model", model], in: folder).status == 0
            )
            let both = ["create", "A.sqlite", "-o", "B.sqlite", "--model", model]
            #expect(try momtool(both, in: folder).status == 64)
            #expect(try momtool(["create", "--model", model], in: folder).status == 64)
        }
    }
}

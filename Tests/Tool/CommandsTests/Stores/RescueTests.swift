import Foundation
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

/// What saves a damaged store comes before what would take something from it, and works as it is printed.
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

    /// Runs with a copy of the store of Library's first version, which SQL has changed.
    private func withStore(_ sql: [String], _ body: (URL) throws -> Void) throws {
        try withFolder { folder in
            let store = folder.appending(path: "Shop.sqlite")
            try FileManager.default.copyItem(at: Self.fixture, to: store)
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

    private func run(_ command: String, in folder: URL) throws -> CommandResult {
        try result(
            of: URL(fileURLWithPath: "/bin/sh"),
            ["-c", "PATH='\(commandFolder)':\"$PATH\"; \(command)"],
            in: folder
        )
    }

    private func value(_ sql: String, _ name: String, in folder: URL) throws -> SQLiteValue? {
        let path = folder.appending(path: name).path
        return try SQLiteConnection(path: path, mode: .readWrite).value(sql)
    }

    @Test func `text that is not UTF-8 is found by every command that looks`() throws {
        let sql = "UPDATE ZBOOK SET ZTITLE = CAST(x'ff41' AS TEXT) WHERE Z_PK = 1"
        try withStore([sql]) { folder in
            let verified = try momtool(["verify", "Shop.sqlite"], in: folder)
            #expect(verified.status == 1)
            #expect(verified.output.contains("Book.title: 1 row: text that is not UTF-8 (p1)"))
            let doctor = try momtool(["doctor", "Shop.sqlite"] + model, in: folder)
            #expect(doctor.output.contains("[invalid-text]"), "\(doctor.output)")
            let arguments = ["migrate", "Shop.sqlite", "-o", "New.sqlite"] + model
            #expect(try momtool(arguments, in: folder).errors.contains("[invalid-text]"))
            let exported = try momtool(["export", "Shop.sqlite"], in: folder)
            #expect(exported.errors.contains("[damaged-value]"))
        }
        try withStore(["UPDATE ZBOOK SET ZTITLE = 'Grüße, 世界 🌍 𝄞' WHERE Z_PK = 1"]) { folder in
            let whole = try momtool(["verify", "Shop.sqlite"], in: folder)
            #expect(whole.status == 0, "\(whole.output)")
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
            let said = try momtool(["verify", "Empty.sqlite"], in: folder)
            #expect(said.status == 0)
            let question = "no rows at all, and no Empty.sqlite-wal beside it"
            #expect(said.output.contains(question), "\(said.output)")
            let report = try commands(for: "Empty.sqlite", in: folder)
            #expect(report.waysOut.first?.advice.contains("look for Empty.sqlite-wal") == true)
            try connection.execute("PRAGMA journal_mode = DELETE")
            #expect(
                try !momtool(["verify", "Empty.sqlite"], in: folder).output.contains("no rows")
            )
            try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 3000 WHERE Z_NAME = 'Book'")
            let handed = try momtool(["verify", "Empty.sqlite"], in: folder)
            #expect(handed.output.contains("keys up to 3000 were handed out"), "\(handed.output)")
        }
        try withFolder { folder in
            let path = folder.appending(path: "Bare.sqlite").path
            let connection = try SQLiteConnection(path: path, mode: .create)
            try connection.execute("PRAGMA journal_mode = WAL")
            let result = try momtool(["verify", "Bare.sqlite"], in: folder)
            #expect(result.errors.contains("was the log copied too?"), "\(result.errors)")
        }
    }

    @Test func `tables that every store has are made again, and nothing else is advised`() throws {
        try withStore(["DROP TABLE Z_PRIMARYKEY"]) { folder in
            let report = try commands(in: folder)
            #expect(!report.commands.contains { $0.contains(".recover") }, "\(report.commands)")
            for command in report.commands {
                let ran = try run(command, in: folder)
                #expect(!ran.errors.contains("error"), "\(command): \(ran.errors)")
            }
        }
    }
}

import Foundation
import MigrationPlanning
import MigrationTesting
import ModelLoading
import Momtool
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

struct FieldStoreTests {
    private static let bundle = readModelBundle(
        at: Corpus.package.appending(path: "Models/Everything.xcdatamodeld").path
    ).value

    private func outcome(_ path: String) throws -> CaseOutcome {
        let tests = try fieldTests(
            in: "Everything",
            ofStores: [path],
            among: Self.bundle.versions,
            to: try #require(Self.bundle.currentVersion),
            by: try Migrator(models: [Self.bundle]),
            options: MatrixOptions(ledger: LossLedger(always: .all))
        )
        return try #require(tests.first).run()
    }

    private func makeStore(in folder: URL) throws -> String {
        let path = folder.appending(path: "Field.sqlite").path
        let version = try #require(Self.bundle.versions.first)
        try makeSampleStore(at: path, model: version.model, rows: 300, seed: 3)
        let files = externalDataFolder(of: path)
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        try Data(count: 500).write(to: files.appending(path: UUID().uuidString))
        return path
    }

    @Test func `what a journal takes back is not tested`() throws {
        try withFolder { folder in
            let own = folder.appending(path: "own")
            try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
            let path = try makeStore(in: own)
            let expected = try outcome(path)
            #expect(expected.status == .passed, "\(expected)")
            let copies = ["cut", "half"].map { folder.appending(path: $0) }
            for copy in copies { try FileManager.default.copyItem(at: own, to: copy) }
            let names = copies.map { $0.appending(path: "Field.sqlite").path }
            do {
                let connection = try SQLiteConnection(path: path, mode: .readWrite)
                try connection.execute("PRAGMA journal_mode = DELETE")
                try connection.execute("PRAGMA cache_size = 2")
                try connection.execute("BEGIN IMMEDIATE")
                try connection.execute("DELETE FROM ZSAMPLE WHERE Z_PK % 3 > 0")
                for name in names {
                    try FileManager.default.removeItem(atPath: name)
                    try FileManager.default.copyItem(atPath: path, toPath: name)
                }
                try FileManager.default.copyItem(
                    atPath: path + "-journal",
                    toPath: names[0] + "-journal"
                )
                try connection.execute("ROLLBACK")
            }
            let cut = try outcome(names[0])
            #expect(cut.status == .passed && cut.lines == expected.lines, "\(cut)")
            #expect(try outcome(names[1]).lines != expected.lines, "the transaction left no trace")
        }
    }

    @Test(arguments: [true, false])
    func `a symbolic link is tested as the store that it leads to`(isAbsolute: Bool) throws {
        try withFolder { folder in
            let store = try makeStore(in: folder)
            let expected = try outcome(store)
            let links = folder.appending(path: "links")
            try FileManager.default.createDirectory(at: links, withIntermediateDirectories: true)
            let link = links.appending(path: "Link.sqlite").path
            try FileManager.default.createSymbolicLink(
                atPath: link,
                withDestinationPath: isAbsolute ? store : "../Field.sqlite"
            )
            let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
            let found = try outcome(link)
            #expect(found.status == .passed && found.lines == expected.lines, "\(found)")
            let left = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
            #expect(left == files)
        }
    }
}

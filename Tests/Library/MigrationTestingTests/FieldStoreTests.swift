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
        try makeSampleStore(at: path, model: version.model, rows: 60, seed: 3)
        let files = externalDataFolder(of: path)
        try makeFolder(files)
        try Data(count: 500).write(to: files.appending(path: UUID().uuidString))
        return path
    }

    @Test func `what a journal takes back is not tested`() throws {
        try withFolder { folder in
            let own = folder.appending(path: "own")
            try makeFolder(own)
            let path = try makeStore(in: own)
            let expected = try outcome(path)
            #expect(expected.status == .passed, "\(expected)")
            let copies = ["cut", "half"].map { folder.appending(path: $0) }
            for copy in copies { try copyFile(own, to: copy) }
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
            try makeFolder(links)
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

struct CaseModelTests {
    private static let sources =
        "import SwiftData\n" + itemSchema(1, "") + itemSchema(2, "var size: Int = 1")

    /// Writes a file whose state does not show its content.
    private func write(_ text: String, at second: Double, to file: URL) throws {
        // In place, so that it stays the same file.
        if let handle = try? FileHandle(forWritingTo: file) {
            try handle.truncate(atOffset: 0)
            try handle.write(contentsOf: Data(text.utf8))
            try handle.close()
        } else {
            try Data(text.utf8).write(to: file)
        }
        let date = Date(timeIntervalSince1970: second)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path)
    }

    @Test func `Swift sources are read once for the cases of a run, and again after an edit`()
        throws
    {
        try withFolder { folder in
            let model = folder.appending(path: "Models.swift")
            try write(Self.sources, at: 1_000_000_000, to: model)
            let test = folder.appending(path: "Cases/size")
            try makeFolder(test)
            let text = """
                model: ../../Models.swift
                from: V1
                to: V2
                before: {Item: [{"@id": a, name: x}]}
                expect: contains
                after: {Item: [{"@id": a, size: 1}]}

                """
            try Data(text.utf8).write(to: test.appending(path: "case.yml"))
            func status() throws -> CaseOutcome.Status {
                let outcomes = try MigrationCase.cases(at: test).map { $0.run() }
                #expect(outcomes.count == 1)
                return outcomes[0].status
            }
            #expect(try status() == .passed)
            let edited = Self.sources.replacing("Int = 1", with: "Int = 2")
            // Whoever reads the file again sees another default.
            try write(edited, at: 1_000_000_000, to: model)
            #expect(try status() == .passed)
            try write(edited, at: 1_000_000_001, to: model)
            #expect(try status() == .failed)
        }
    }
}

@Suite(.enabled(if: Corpus.isPresent, "the corpus is not there"))
struct CorpusCaseTests {
    static let counts = [("objc.io", 5), ("CoreDataPlus", 4), ("Apptentive", 12)]

    @Test(arguments: counts)
    func `each step of a project's model is a case that passes`(name: String, count: Int) throws {
        try withFolder { folder in
            // The cases name files of the corpus by a link beside them.
            try FileManager.default.createSymbolicLink(
                at: folder.appending(path: "corpus"),
                withDestinationURL: URL(fileURLWithPath: Corpus.path(""))
            )
            let copy = folder.appending(path: name)
            let cases = Corpus.package.appending(path: "Fixtures/CorpusCases/\(name)")
            try copyFile(cases, to: copy)
            let outcomes = try MigrationCase.cases(at: copy).map { $0.run() }
            #expect(outcomes.count == count)
            for outcome in outcomes {
                #expect(outcome.status == .passed, "\(outcome.name): \(outcome.lines)")
            }
        }
    }
}

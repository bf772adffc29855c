import Diagnostics
import Foundation
import ModelHashing
import ModelLoading
import ObjectModel
import RowExchange
import SQLiteAccess
import StoreFormat
import TestSupport
import Testing

/// Every n-th fault is tried, every single one in a nightly run.
let faultStride = chosenStride ?? 31

/// The calls that go wrong, one at a time and each in a process of its own: one for each case on every push, spread over
/// the run by the place of the case, and every n-th by night.
func faultyCalls(among calls: Int, ofCase place: Int) -> [Int] {
    guard let chosenStride else { return [1 + place * 37 % calls] }
    return Array(stride(from: 1 + place % chosenStride, through: calls, by: chosenStride))
}

private let chosenStride =
    ProcessInfo.processInfo.environment["MOMTOOL_FAULTS"].flatMap { Int($0) }.map { max(1, $0) }

/// The program with a faulty file system.
let faultyProgram = programURL("FaultyMomtool")

/// Runs that program with a temporary folder inside its working folder.
func runFaulty(
    _ arguments: [String],
    in work: URL,
    _ environment: [String: String]
) throws -> CommandResult {
    let temporary = work.appending(path: "Temporary")
    try makeFolder(temporary)
    let all = environment.merging(["TMPDIR": temporary.path]) { $1 }
    return try result(of: faultyProgram, arguments, environment: all)
}

/// Whether that program can be built; the compiler's sanitizers need the same place in it.
let canInjectSystemFaults: Bool = {
    guard let result = try? result(of: faultyProgram, ["--version"]) else { return false }
    return result.status == 0 && !result.output.isEmpty
}()

enum StoreCondition: String, CaseIterable, Sendable {
    /// With a rollback journal, closed.
    case plain
    /// With a write-ahead log, closed, as Core Data leaves it.
    case closedLog
    /// With a write-ahead log that was not checkpointed.
    case openLog
    /// With the journal of an interrupted transaction.
    case hotJournal
}

struct StoreFixture {
    static let modelPath = Corpus.package.appending(path: "Models/Library.xcdatamodeld").path
    static let versions = readModelBundle(at: modelPath).value.versions

    let original: URL
    /// The rows before, as canonical JSON with the values of external files.
    let old: String
    let condition: StoreCondition

    private struct Made {
        var files: [String: Data] = [:]
        var old = ""

        func write(to folder: URL) throws {
            for (path, bytes) in files {
                let file = folder.appending(path: path)
                try makeFolder(file.deletingLastPathComponent())
                try bytes.write(to: file)
            }
        }
    }

    private static let made = Dictionary(
        uniqueKeysWithValues: StoreCondition.allCases.map { condition in
            (condition, Result { try make(condition) })
        }
    )

    init(in folder: URL, _ condition: StoreCondition) throws {
        let made = try #require(try Self.made[condition]?.get())
        original = folder.appending(path: "Original")
        (self.condition, old) = (condition, made.old)
        try made.write(to: original)
    }

    private static func make(_ condition: StoreCondition) throws -> Made {
        try withFolder { folder in
            let path = folder.appending(path: "Store.sqlite").path
            try createStore(
                at: path,
                model: versions[0].model,
                rows: RowSource(bytes: Array(rows.utf8), path: "rows.json")
            )
            return try withFolder { original in
                var made = Made()
                try bring(path, into: condition) {
                    for case let name as String in FileManager.default
                        .enumerator(atPath: folder.path)?.allObjects ?? []
                    where !name.hasSuffix("-shm") {
                        let file = folder.appending(path: name).path
                        made.files[name] = FileManager.default.contents(atPath: file)
                    }
                }
                try made.write(to: original)
                made.old = try Self.rows(of: original.appending(path: "Store.sqlite").path, 0)
                return made
            }
        }
    }

    /// Changes a store and calls `copy` when its files are in a condition.
    private static func bring(
        _ path: String,
        into condition: StoreCondition,
        _ copy: () throws -> Void
    ) throws {
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        if condition == .plain || condition == .hotJournal {
            try connection.execute("PRAGMA journal_mode = DELETE")
        }
        guard condition == .openLog || condition == .hotJournal else { return try copy() }
        try connection.execute("PRAGMA wal_autocheckpoint = 0")
        try connection.execute("PRAGMA cache_size = 2")
        if condition == .hotJournal { try connection.execute("BEGIN IMMEDIATE") }
        try connection.execute("UPDATE ZBOOK SET ZTITLE = ZTITLE || ' again'")
        try connection.execute("UPDATE ZLOAN SET ZFINE = 2")
        try copy()
        if condition == .hotJournal { try connection.execute("ROLLBACK") }
    }

    private static let rows: String = {
        let cover = Data(repeating: 0x2A, count: 120 << 10).base64EncodedString()
        let books = (1...2).map {
            #"{"@id": "b\#($0)", "title": "Book \#($0)", "cover": "\#(cover)", "authors": ["Author/a1"]}"#
        }
        let loans = (1...400).map {
            #"{"@id": "l\#($0)", "fine": 0.5, "book": "Book/b\#(1 + $0 % 2)", "member": "Member/m1"}"#
        }
        return #"{"Author": [{"@id": "a1", "name": "Ada"}], "Book": ["#
            + books.joined(separator: ", ") + #"], "Loan": ["# + loans.joined(separator: ", ")
            + #"], "Member": [{"@id": "m1", "name": "Mary"}]}"#
    }()

    func fresh(in folder: URL) throws -> String {
        try? FileManager.default.removeItem(at: folder)
        try copyFile(original, to: folder)
        return folder.appending(path: "Store.sqlite").path
    }

    static func rows(of path: String, _ version: Int) throws -> String {
        let store = try StoreFile(path: path)
        var bytes: [UInt8] = []
        try exportRows(of: store, model: versions[version].model) { bytes += $0 }
        // After an interruption SQLite may leave free pages, but never an error.
        let faults = try verify(store, against: versions[version].model)
        #expect(faults.filter { $0.severity == .error }.map(\.message) == [], "\(path)")
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether a store is still the old one; its rows and external files must be those of one version.
    func isOld(_ path: String, new: String, _ title: String) throws -> Bool {
        let hashes = try StoreFile(path: path).metadata().hashes
        let isOld = hashes == Self.versions[0].hashes
        let found = try Self.rows(of: path, isOld ? 0 : Self.versions.count - 1)
        #expect(found == (isOld ? old : new), "\(title): the rows are not those of one version")
        return isOld
    }
}

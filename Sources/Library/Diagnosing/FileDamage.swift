import Diagnostics
import Essentials
import FileSystem
import LogReading
package import SQLiteAccess
import StoreFormat

/// Finds what is left of a file that SQLite does not open, and what to do.
package func diagnoseUnreadable(
    _ path: String,
    because error: StoreError,
    _ context: ModelContext?
) -> Diagnosis {
    let model = context.map { shellWord($0.argument) }
    var diagnosis = Diagnosis(subject: path, findings: [Diagnostic(.storeInUse, error.reason)])
    // No fault is known while another process has it locked.
    if case .inUse = error {
        let advice: Wording =
            "close the application that has it open, or wait for it, and try again"
        diagnosis.waysOut = [WayOut(advice, lookAgain(at: path, model))]
        return diagnosis
    }
    let other = OtherStore(at: path)
    let damage = FileDamage(path, because: error)
    // The database can be read, and lacks a table that every store has.
    let isIncomplete = if case .notAStore = error { true } else { false }
    let reason = other?.words ?? damage.words ?? error.reason
    diagnosis.findings = [Diagnostic("unreadable-file", reason)]
    diagnosis.waysOut =
        other.map { [WayOut(Wording($0.advice))] }
        ?? (damage.hasStrayLog
            ? strayLogWays(path, model) : waysOut(ofUnrecordedVersion: path, context))
        ?? damage.waysOut(model: model ?? "MODEL", isIncomplete: isIncomplete, context)
    return diagnosis
}

/// Evidence from the pages of a file and its size.
private struct FileDamage {
    private let path: String
    private let bytes: Int
    private let logBytes: Int
    private let header: [UInt8]
    /// Whether the file is intact, and only the log is unreadable.
    let hasStrayLog: Bool
    private let mayBeEncrypted: Bool

    init(_ path: String, because error: StoreError) {
        self.path = path
        bytes = Int(clamping: fileSize(path))
        logBytes = logLength(of: path)
        header = fileStart(path, 4096) ?? []
        mayBeEncrypted = error == .notADatabase(path: error.path, mayBeEncrypted: true)
        switch error {
        // The log of a store that an app has open must not be removed.
        case .inUse, .inaccessible, .noSuchFile, .damagedMetadata, .notAStore: hasStrayLog = false
        default: hasStrayLog = StoreFile.isWholeWithoutLog(path)
        }
    }

    private var hasName: Bool { header.starts(with: databaseSignature) }

    private var isZeroed: Bool { !header.isEmpty && header.allSatisfy { $0 == 0 } }

    /// Whether SQLite finds no fault in the database, even if it lacks tables.
    private var isSound: Bool {
        let store = try? StoreFile(path: path, requiringSystemTables: false)
        return (try? store?.integrityFaults())?.isEmpty == true
    }

    /// The size in the header, in bytes; `nil` when it has none.
    private var wantedBytes: Int? {
        guard hasName, header.count >= 100 else { return nil }
        let size = number(at: 16, 2) == 1 ? 1 << 16 : number(at: 16, 2)
        return size >= 512 ? number(at: 28, 4) * size : nil
    }

    /// A big-endian number in the header, as all of a database are.
    private func number(at place: Int, _ count: Int) -> Int {
        header[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }

    var words: String? {
        if bytes == 0 { return "the store is empty: the file has no bytes" }
        if hasStrayLog { return strayLogWords(path) }
        if isZeroed {
            return
                "the file begins with zeros: its first page was never written, or was overwritten"
        }
        if !hasName { return "the file does not begin as an SQLite database; it may be encrypted" }
        if let wantedBytes, bytes < wantedBytes {
            return "the file is truncated: it has \(bytes) of \(wantedBytes) bytes"
        }
        return nil
    }

    func waysOut(model: String, isIncomplete: Bool, _ context: ModelContext?) -> [WayOut] {
        var ways = [copyWay]
        if logBytes == 0 {
            ways.append(lostLogWay(path))
        } else {
            let rescue = RescueFolder(for: path, "log")
            ways.append(
                WayOut(
                    "the write-ahead log beside it (\(logBytes.counted("byte"))) may hold whole pages: let SQLite replay it in a copy",
                    rescue.making
                        + .shell("sqlite3 \(rescue.store) 'PRAGMA wal_checkpoint(TRUNCATE)'")
                )
            )
        }
        ways.append(
            WayOut(
                "restore it from a backup of the device or the disk; CloudKit downloads a mirrored store again"
            )
        )
        guard bytes > 0, !isZeroed || bytes > 4096 else { return ways }
        guard hasName || !mayBeEncrypted else {
            return ways + [WayOut("if it is encrypted, decrypt it: SQLite itself can save nothing")]
        }
        if isIncomplete, isSound {
            if let store = try? StoreFile(path: path, requiringSystemTables: false),
                let known = Diagnosing.waysOut(byModelOf: store, context)
            {
                return ways + known
            }
            ways.append(
                WayOut(
                    "recreate the missing tables, if the model fits all others",
                    .call(
                        .repair,
                        .text(shellWord(path)),
                        .model(model),
                        .output("Repaired.sqlite")
                    )
                )
            )
            return ways + [repairedWay(model)]
        }
        return ways + salvage(of: path, model)
    }
}

extension FileCondition {
    init(of store: StoreFile, hasModel: Bool) throws(StoreError) {
        let snapshot = try StoreSnapshot(of: store)
        let tables = snapshot.schema.filter(\.isHistoryTable).map(\.name)
        bytes = size(store.path)
        logBytes = size(store.path + "-wal")
        journalBytes = size(store.path + "-journal")
        pages = snapshot.pageCount
        freePages = try store.number("PRAGMA freelist_count")
        historyChanges =
            tables.contains("ACHANGE") ? try store.number("SELECT COUNT(*) FROM ACHANGE") : 0
        historyPages = try store.historyPages()
        system = snapshot.systemName
        self.hasModel = hasModel
    }

    /// The share of pages of persistent history, from 0 to 1.
    package var historyShare: Double? {
        historyPages.map { pages == 0 ? 0 : Double($0) / Double(pages) }
    }

    /// The share of free pages, from 0 to 1.
    package var freeShare: Double { pages == 0 ? 0 : Double(freePages) / Double(pages) }
}

extension StoreFile {
    fileprivate func number(_ sql: String) throws(StoreError) -> Int {
        try connection.value(sql)?.integer.map { Int(clamping: $0) } ?? 0
    }
}

private func size(_ path: String) -> Int { Int(clamping: fileSize(path)) }

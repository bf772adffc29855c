import Diagnostics
import Essentials
import FileSystem
import LogReading
package import SQLiteAccess
import StoreFormat

/// Says what is left of a file that SQLite does not open, and which ways there are.
///
/// - Parameters:
///   - path: the path of the store.
///   - error: why it could not be opened.
///   - context: the model of the app; `nil` when none was named.
/// - Returns: the diagnosis.
package func diagnoseUnreadable(
    _ path: String,
    because error: StoreError,
    _ context: ModelContext?
) -> Diagnosis {
    let model = context.map { shellWord($0.argument) }
    if case .inUse = error { return busyDiagnosis(path, error, model) }
    let damage = FileDamage(path, because: error)
    // The database can be read, and lacks a table that every store has.
    let isIncomplete = if case .notAStore = error { true } else { false }
    return Diagnosis(
        subject: path,
        writers: [],
        symptoms: [],
        file: nil,
        findings: [Diagnostic("unreadable-file", damage.words ?? error.reason)],
        waysOut: damage.hasStrayLog
            ? strayLogWays(path, model)
            : waysOut(ofUntold: path, context)
                ?? damage.waysOut(model: model ?? "MODEL", isIncomplete: isIncomplete)
    )
}

/// What is told of a store that another process keeps for itself: nothing is known to be wrong with it.
private func busyDiagnosis(_ path: String, _ error: StoreError, _ model: String?) -> Diagnosis {
    Diagnosis(
        subject: path,
        writers: [],
        symptoms: [],
        file: nil,
        findings: [Diagnostic(.storeInUse, error.reason)],
        waysOut: [
            WayOut(
                "close the application that has it open, or wait for it, and look again",
                lookAgain(at: path, model)
            )
        ]
    )
}

/// What the pages of a file and its size tell.
private struct FileDamage {
    private let path: String
    private let bytes: Int
    private let logBytes: Int
    private let header: [UInt8]
    /// Whether the file is whole, and what cannot be read is the log.
    let hasStrayLog: Bool

    init(_ path: String, because error: StoreError) {
        self.path = path
        bytes = Int(clamping: fileSize(path))
        logBytes = Int(clamping: fileSize(withoutLink(path) + "-wal"))
        header = fileStart(path, 4096) ?? []
        switch error {
        // The log of an app that has the store open is none that may go.
        case .inUse, .inaccessible, .noSuchFile: hasStrayLog = false
        default: hasStrayLog = StoreFile.isWholeWithoutLog(path)
        }
    }

    private var hasName: Bool { header.starts(with: databaseSignature) }

    /// Whether all that was read is zero.
    private var isZeroed: Bool { !header.isEmpty && header.allSatisfy { $0 == 0 } }

    /// Whether SQLite finds nothing wrong with the database, whatever tables it lacks.
    private var isSound: Bool {
        let store = try? StoreFile(path: path, requiringSystemTables: false)
        return (try? store?.integrityFaults())?.isEmpty == true
    }

    /// The size that the header says, in bytes; `nil` when it says none.
    private var wantedBytes: Int? {
        guard hasName, header.count >= 100 else { return nil }
        let size = number(at: 16, 2) == 1 ? 1 << 16 : number(at: 16, 2)
        return size >= 512 ? number(at: 28, 4) * size : nil
    }

    /// A number in the header, the highest byte first, as all of a database are.
    private func number(at place: Int, _ count: Int) -> Int {
        header[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }

    /// What is wrong, when that can be seen.
    var words: String? {
        if bytes == 0 { return "the store is empty: the file has no bytes" }
        if hasStrayLog { return strayLogWords(path) }
        if isZeroed {
            return
                "the file begins with zeros: its first page was never written, or was overwritten"
        }
        if !hasName { return "the file does not begin as an SQLite database; it may be encrypted" }
        if let wantedBytes, bytes < wantedBytes {
            return "the file is cut off: \(bytes) of \(wantedBytes) bytes are there"
        }
        return nil
    }

    func waysOut(model: String, isIncomplete: Bool) -> [WayOut] {
        var ways = [copyWay]
        if logBytes == 0 {
            ways.append(lostLogWay(path))
        } else {
            let rescue = RescueFolder(for: path, "log")
            ways.append(
                WayOut(
                    "the write-ahead log beside it (\(logBytes.counted("byte"))) may hold whole pages: let SQLite play it back in a copy",
                    rescue.making
                        + .shell("sqlite3 \(rescue.store) 'PRAGMA wal_checkpoint(TRUNCATE)'")
                )
            )
        }
        ways.append(
            WayOut(
                "take it from a backup of the device or the disk; a store that CloudKit mirrors is downloaded again"
            )
        )
        guard bytes > 0, !isZeroed || bytes > 4096 else { return ways }
        if isIncomplete, isSound {
            ways.append(
                WayOut(
                    "make the tables again that are missing, if the model fits all others",
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

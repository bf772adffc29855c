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
    private let lostHeader: LostHeader?
    /// Whether the header alone is lost: what follows begins as the first page of a database does.
    private let isHeaderless: Bool
    /// Whether the file is whole, and what cannot be read is the log.
    let hasStrayLog: Bool
    /// What is left of the pages; `nil` where a header is to be written first, or the log may have others.
    private let leftPages: LeftPages?

    init(_ path: String, because error: StoreError) {
        self.path = path
        bytes = Int(clamping: fileSize(path))
        logBytes = Int(clamping: fileSize(withoutLink(path) + "-wal"))
        let start = fileStart(path, LostHeader.bytesNeeded) ?? []
        let header = Array(start.prefix(4096))
        let lostHeader = LostHeader(start, fileSize: bytes, hasLog: logBytes > 0)
        let isHeaderless =
            lostHeader != nil && [0x02, 0x05, 0x0A, 0x0D].contains(header[100])
        switch error {
        // The log of an app that has the store open is none that may go.
        case .inUse, .inaccessible, .noSuchFile: hasStrayLog = false
        default: hasStrayLog = StoreFile.isWholeWithoutLog(path)
        }
        leftPages =
            logBytes > 0 || isHeaderless
            ? nil : LeftPages(path, fileSize: bytes, pageSize: Self.pageSize(header) ?? 4096)
        (self.header, self.lostHeader, self.isHeaderless) = (header, lostHeader, isHeaderless)
    }

    private var hasName: Bool { header.starts(with: databaseSignature) }

    /// The size of the pages that the header says; `nil` where it says none.
    private static func pageSize(_ header: [UInt8]) -> Int? {
        guard header.starts(with: databaseSignature) else { return nil }
        let size = bigEndian(header, 16, 2) == 1 ? 1 << 16 : bigEndian(header, 16, 2)
        return size >= 512 ? size : nil
    }

    /// Whether all that was read is zero.
    private var isZeroed: Bool { !header.isEmpty && header.allSatisfy { $0 == 0 } }

    /// Whether SQLite finds nothing wrong with the database, whatever tables it lacks.
    private var isSound: Bool {
        let store = try? StoreFile(path: path, requiringSystemTables: false)
        return (try? store?.integrityFaults())?.isEmpty == true
    }

    /// The size that the header says, in bytes; `nil` when it says none.
    private var wantedBytes: Int? {
        guard header.count >= 100 else { return nil }
        return Self.pageSize(header).map { bigEndian(header, 28, 4) * $0 }
    }

    /// What is wrong, when that can be seen.
    var words: String? {
        if bytes == 0 { return "the store is empty: the file has no bytes" }
        if hasStrayLog { return strayLogWords(path) }
        if isZeroed {
            return
                "the file begins with zeros: its first page was never written, or was overwritten"
        }
        if isHeaderless, let lostHeader {
            return
                "the header of the file is \(lostHeader.words); what follows looks like a database"
        }
        if !hasName { return "the file does not begin as an SQLite database; it may be encrypted" }
        if let wantedBytes, bytes < wantedBytes {
            let isSchemaWhole = leftPages?.isSchemaWhole ?? true
            let schema =
                isSchemaWhole
                ? "" : ", and pages of the schema, which names its tables, are behind the cut"
            return "the file is cut off: \(bytes) of \(wantedBytes) bytes are there\(schema)"
        }
        return nil
    }

    func waysOut(model: String, isIncomplete: Bool) -> [WayOut] {
        var ways = [copyWay]
        if logBytes == 0 {
            ways.append(lostLogWay(path))
        } else if !isHeaderless {
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
        guard isHeaderless, let lostHeader else {
            return ways + (leftPages?.waysOut(of: path, model) ?? salvage(of: path, model))
        }
        let rescue = RescueFolder(for: path, "header")
        let log: Wording =
            logBytes == 0
            ? ""
            : "; the log is copied with it, as the last saves are in it (\(logBytes.counted("byte")))"
        ways.append(
            WayOut(
                "write these bytes into a copy again; often all else is there, and then nothing more is to be done with the copy\(log)",
                rescue.making + .shell(lostHeader.command(for: rescue.store))
                    + .call(.verify, .text(rescue.store), .model(model))
            )
        )
        return ways + salvage(of: path, from: rescue.store, model)
    }
}

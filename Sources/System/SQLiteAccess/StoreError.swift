package import Diagnostics
import Essentials

package enum StoreError: Error, Sendable, Hashable {
    case noSuchFile(path: String)
    /// The file or its folder cannot be read, copied or written, for a reason of the system.
    case inaccessible(path: String, reason: String)
    /// The file is not an SQLite database; `mayBeEncrypted` if its bytes look random.
    case notADatabase(path: String, mayBeEncrypted: Bool)
    /// The file is shorter than its header says, both in bytes.
    case truncated(path: String, expected: Int64, actual: Int64)
    /// The database is not a Core Data store; `missing` is the table that it lacks, which an absent write-ahead log may have.
    case notAStore(path: String, missing: String, lacksLog: Bool = false)
    /// Another process is writing the store, or has it open although it would be changed in place.
    case inUse(path: String)
    /// The store may not be changed in place.
    case readOnly(path: String, reason: String)
    case cannotCreate(path: String, reason: String)
    case damagedMetadata(path: String, reason: String)
    case damagedModelCache(path: String, reason: String)
    case alreadyExists(path: String)
    /// SQLite refused a statement, or found the file damaged; `code` is its extended result code.
    case sqlite(path: String, code: Int32, message: String, sql: String?)
    /// Rows as JSON, or a request about rows, are at fault; the location is one in the JSON text.
    case rows(Diagnostic)
    /// Rows omit several required values or links; each location is that of a row.
    case incomplete([Diagnostic])

    /// The error of cancelled work: that of an interrupted statement in SQLite (`SQLITE_INTERRUPT`).
    package static func cancelled(_ path: String) -> StoreError {
        .sqlite(path: path, code: 9, message: "interrupted", sql: nil)
    }

    package var isUniquenessViolation: Bool {
        // SQLITE_CONSTRAINT_UNIQUE, a macro that Swift does not see.
        guard case .sqlite(_, let code, _, _) = self else { return false }
        return code == 19 | 8 << 8
    }

    /// Whether the contents of the store may be at fault, not the disk or another process.
    package var isOfContents: Bool {
        // SQLITE_ERROR, SQLITE_CORRUPT, SQLITE_CONSTRAINT, SQLITE_MISMATCH
        guard case .sqlite(_, let code, _, _) = self else { return false }
        return [1, 11, 19, 20].contains(code & 0xFF)
    }

    package var isOfDisk: Bool {
        switch self {
        case .inaccessible: true
        // SQLITE_READONLY, SQLITE_IOERR, SQLITE_CORRUPT, SQLITE_FULL, SQLITE_CANTOPEN
        case .sqlite(_, let code, _, _): [8, 10, 11, 13, 14].contains(code & 0xFF)
        default: false
        }
    }
}

extension StoreError: CustomStringConvertible {
    /// What is wrong and with which file; lower case, no final period.
    package var description: String {
        switch self {
        case .rows, .incomplete: reason
        default: "\(path): \(reason)"
        }
    }

    package var path: String {
        switch self {
        case .noSuchFile(let path), .inaccessible(let path, _), .notADatabase(let path, _),
            .truncated(let path, _, _), .notAStore(let path, _, _), .inUse(let path),
            .readOnly(let path, _), .cannotCreate(let path, _), .damagedMetadata(let path, _),
            .damagedModelCache(let path, _), .alreadyExists(let path), .sqlite(let path, _, _, _):
            path
        case .rows(let fault): fault.location?.path ?? ""
        case .incomplete(let faults): faults.first?.location?.path ?? ""
        }
    }

    package var reason: String {
        switch self {
        case .noSuchFile: "no such file"
        case .inaccessible(_, let reason): reason
        case .notADatabase(_, mayBeEncrypted: true):
            "not an SQLite database, or an encrypted one; decrypt it first"
        case .notADatabase(_, mayBeEncrypted: false): "not an SQLite database"
        case .truncated(_, let expected, let actual):
            "cut off; \(actual) of \(expected.counted("byte")) are there"
        case .notAStore(_, let missing, let lacksLog):
            "an SQLite database, but not a Core Data store: it has no table \(missing)"
                + (lacksLog ? ", and there is no -wal beside it (was the log copied too?)" : "")
        case .inUse: "in use; close the application that has it open"
        case .readOnly(_, let reason): "cannot be changed in place: \(reason)"
        case .cannotCreate(_, let reason): "cannot be created: \(reason)"
        case .damagedMetadata(_, let reason): "damaged metadata: \(reason)"
        case .damagedModelCache(_, let reason): "damaged model cache: \(reason)"
        case .alreadyExists: "already exists; name another file"
        // SQLITE_CORRUPT: no statement is at fault.
        case .sqlite(_, let code, let message, _) where code & 0xFF == 11:
            "the file itself is damaged: \(message) (SQLite error \(code))"
        case .sqlite(_, let code, let message, let sql):
            "\(message) (SQLite error \(code))"
                + (sql.map { " in: \($0.count > 200 ? $0.prefix(200) + "…" : $0)" } ?? "")
        case .rows(let fault): fault.description
        case .incomplete(let faults): faults.map(\.description).joined(separator: "\n")
        }
    }
}

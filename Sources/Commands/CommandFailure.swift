import ArgumentParser
import Diagnostics
import FileSystem
import Foundation
import MappingInference
import RowExchange
import SQLiteAccess
import StoreFormat
import StoreMigration

/// The exit statuses of the tool; those from 64 are those of sysexits.
enum ExitStatus: Int32 {
    case findings = 1
    case differences = 2
    case refused = 3
    case failed = 4
    case usage = 64
    case badData = 65
    case noInput = 66
    case cannotCreate = 73
    case ioFailed = 74
}

/// The end of a command that did not do its work: what to say, and the status to end with.
struct CommandFailure: Error {
    var status: ExitStatus
    var messages: [String]

    init(_ status: ExitStatus, _ messages: [String]) {
        self.status = status
        self.messages = messages
    }

    /// A failure with one message, written as a diagnostic of a file.
    init(_ status: ExitStatus, _ path: String, _ message: String, _ rule: RuleID) {
        let diagnostic = Diagnostic(rule, message, at: SourceLocation(path: path))
        self.init(status, [diagnostic.description])
    }

    /// Takes an error of whatever kind; `nil` when it is none that a module throws.
    init?(any error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as StoreError: self.init(error)
        case let error as FileError: self.init(StoreError(error))
        case let error as RowExchangeError: self.init(error)
        case let error as StoreMigrationError: self.init(error)
        default: return nil
        }
    }

    init(_ error: StoreError) {
        self.init(error.exitStatus, ["error: \(error.description) [\(error.rule.rawValue)]"])
    }

    init(_ error: RowExchangeError) {
        switch error {
        case .store(let error): self.init(error)
        case .rows(let diagnostic):
            let status: ExitStatus =
                switch diagnostic.rule {
                case "other-model": .refused
                case "unusable-predicate": .usage
                default: diagnostic.location == nil ? .usage : .badData
                }
            self.init(status, [diagnostic.description])
        case .file: self.init(.ioFailed, ["error: \(error.description) [inaccessible-file]"])
        }
    }

    init(_ error: StoreMigrationError) {
        switch error {
        case .store(let error): self.init(error)
        case .unexpectedLayout:
            self.init(.badData, ["error: \(error.description) [unexpected-layout]"])
        case .notInferable(let refusals):
            self.init(.refused, refusals.map(\.diagnostic.description))
        case .rows(let findings):
            self.init(.refused, findings.map { "error: \($0.description) [rows-at-stake]" })
        case .checkFailed:
            self.init(.failed, ["error: \(error.description) [migration-check]"])
        case .stages: self.init(.refused, ["error: \(error.description) [stages]"])
        case .script(let path, let line, let column, let reason):
            let place = SourceLocation(path: path, line: line, column: column)
            self.init(.failed, [Diagnostic("stage-script", reason, at: place).description])
        case .handler: self.init(.failed, ["error: \(error.description) [stage-handler]"])
        case .stageFindings: self.init(.failed, ["error: \(error.description) [stage-check]"])
        case .map(_, let diagnostics): self.init(.refused, diagnostics.map(\.description))
        case .interrupted: self.init(.failed, ["error: \(error.description) [interrupted]"])
        }
    }
}

extension StoreError {
    fileprivate var exitStatus: ExitStatus {
        switch self {
        case .noSuchFile: .noInput
        case .notADatabase, .truncated, .notAStore, .damagedMetadata, .damagedModelCache: .badData
        case .inUse, .readOnly: .refused
        case .alreadyExists, .cannotCreate: .cannotCreate
        case .inaccessible: .ioFailed
        case .sqlite(_, let code, _, _):
            switch code & 0xFF {
            case 11, 26: .badData  // SQLITE_CORRUPT, SQLITE_NOTADB
            // SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN
            case 8, 10, 13, 14: .ioFailed
            default: .failed
            }
        }
    }

    fileprivate var rule: RuleID {
        switch self {
        case .noSuchFile: "no-such-file"
        case .inaccessible: "inaccessible-file"
        case .notADatabase: "not-a-database"
        case .truncated: "truncated-store"
        case .notAStore: "not-a-store"
        case .inUse: "store-in-use"
        case .damagedMetadata: "damaged-metadata"
        case .damagedModelCache: "damaged-model-cache"
        case .readOnly: "read-only-store"
        case .alreadyExists: "file-exists"
        case .cannotCreate: "cannot-create"
        case .sqlite: "sqlite-error"
        }
    }
}

/// Runs the body of a command; a failure is said on standard error and ends the process with its status.
func run(_ body: () throws -> Void) throws {
    do {
        try body()
    } catch {
        guard let failure = CommandFailure(any: error) else { throw error }
        try end(failure)
    }
}

private func end(_ failure: CommandFailure) throws -> Never {
    for message in failure.messages { Console.complain(message) }
    throw ExitCode(failure.status.rawValue)
}

/// The terminal.
enum Console {
    /// Writes a line to standard output.
    static func say(_ text: String) {
        write(harmless(text) + "\n", to: .standardOutput)
    }

    /// Writes a line to standard error.
    static func complain(_ text: String) {
        write(harmless(text) + "\n", to: .standardError)
    }

    /// Says what was noticed on standard error.
    static func show(_ diagnostics: [Diagnostic]) {
        for diagnostic in diagnostics { complain(diagnostic.description) }
    }

    /// Writes to standard error without ending the line; the terminal may be told what to do.
    static func write(_ text: String) {
        write(text, to: .standardError)
    }

    /// Returns a text without what a terminal would obey.
    ///
    /// Control characters but for lines and tabs, and those that turn the direction of text, come from names; in JSON
    /// their escapes mean the same.
    private static func harmless(_ text: String) -> String {
        let isHarmful = { (scalar: Unicode.Scalar) in
            switch scalar.value {
            case 0x09, 0x0A, 0x0D: false
            case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: true
            default: false
            }
        }
        guard text.unicodeScalars.contains(where: isHarmful) else { return text }
        return text.unicodeScalars.map { scalar in
            isHarmful(scalar)
                ? "\\u" + String(format: "%04X", scalar.value) : String(scalar)
        }.joined()
    }

    private static func write(_ text: String, to file: FileHandle) {
        // A reader that went away, as `head` does, is no failure of the command.
        try? file.write(contentsOf: Data(text.utf8))
    }
}

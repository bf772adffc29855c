public import Diagnostics
import FileSystem
import Essentials
public import MigrationPlanning
import ObjectModel
import RowExchange
import SQLiteAccess
public import StoreMigration

/// Why something was not done, as people are told.
///
/// Every error of every module becomes one of these; the command ends with the exit status of its kind.
public struct MomtoolError: Error, Sendable, Hashable {
    /// What kind of failure it is, by who can do something about it.
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// It was refused before anything was written: models, rows or options are against it.
        case refused
        /// It failed on the way, and everything is as it was.
        case failed
        /// It was asked for in a way that makes no sense.
        case usage
        /// The input is not what it should be.
        case badData
        /// There is no input, or none that can be read.
        case noInput
        /// The output cannot be made.
        case cannotCreate
        /// Reading or writing failed.
        case inputOutput
    }

    /// What kind of failure it is.
    public var kind: Kind
    /// What is wrong and what to do, each with its place and rule where it has them; empty when it was said already.
    public var messages: [String]
    /// What the messages say, where they are about files, as values.
    package private(set) var diagnostics: [Diagnostic] = []
    /// The path of the mapping model that cannot be carried out, where that is why.
    package internal(set) var mappingModel: String?
    /// The refused steps that keep every way from its end, where that is why.
    public var deadEnds: [MigrationPlan] = []

    /// What the rows say against it, or what would be lost without agreement, where that is why.
    public var findings: [RowFinding] = []

    /// The error of the migration, where that is why.
    public internal(set) var migration: StoreMigrationError?

    /// Creates an error.
    public init(_ kind: Kind, _ messages: [String]) {
        self.kind = kind
        self.messages = messages
    }

    /// Creates an error with one message, written as a diagnostic of a file.
    public init(_ kind: Kind, _ path: String, _ message: String, _ rule: RuleID) {
        self.init(kind, saying: [Diagnostic(rule, message, at: SourceLocation(path: path))])
    }

    /// Creates an error of what was found.
    package init(_ kind: Kind, saying diagnostics: [Diagnostic]) {
        self.init(kind, diagnostics.map(\.description))
        self.diagnostics = diagnostics
    }
}

extension MomtoolError {
    /// Returns the error with a path before each message that names none, so that it is said what it is about.
    package func naming(_ path: String) -> MomtoolError {
        var error = self
        error.messages = messages.map { $0.hasPrefix("error: ") ? "\(path): \($0)" : $0 }
        return error
    }
}

extension MomtoolError: CustomStringConvertible {
    /// The messages, each on a line of its own.
    public var description: String { messages.joined(separator: "\n") }
}

extension MomtoolError {
    /// Takes an error of whatever kind.
    public init(_ error: any Error) {
        switch error {
        case let error as MomtoolError: self = error
        case let error as StoreError: self.init(store: error)
        case let error as FileError: self.init(file: error)
        case let error as RowExchangeError: self.init(rows: error)
        case let error as StoreMigrationError:
            self.init(migration: error)
            migration = error
        case let error as StagedPlanError: self.init(migration: .stages(error))
        case let error as DecodingError:
            self.init(.badData, ["error: \(error.reason) [unreadable-file]"])
        case let error as CocoaError: self.init(system: error)
        default:
            // What Foundation throws on other systems, and whatever else there may be.
            let reason = systemReason(error)
            self.init(.failed, ["error: \(reason) [unexpected-error]"])
        }
    }

    private init(store error: StoreError) {
        var reason = error.reason
        if case .notADatabase(let path, mayBeEncrypted: false) = error {
            reason = InputKind.noDatabaseWords(at: path)
        }
        self.init(error.kind, error.path, reason, error.rule)
    }

    private init(file error: FileError) {
        switch error {
        case .inaccessible(let path, let reason):
            self.init(store: .inaccessible(path: path, reason: reason))
        case .cannotCreate(let path, let reason):
            self.init(store: .cannotCreate(path: path, reason: reason))
        }
    }

    private init(rows error: RowExchangeError) {
        switch error {
        case .store(let error): self.init(store: error)
        case .rows(let diagnostic):
            let kind: Kind =
                switch diagnostic.rule {
                case "other-model": .refused
                case "unusable-predicate": .usage
                default: diagnostic.location == nil ? .usage : .badData
                }
            self.init(kind, saying: [diagnostic])
        case .incomplete(let diagnostics): self.init(.badData, saying: diagnostics)
        case .file(let path, let reason):
            self.init(.inputOutput, path, reason, "inaccessible-file")
        }
    }

    private init(migration error: StoreMigrationError) {
        func line(_ rule: RuleID) -> [String] {
            ["error: \(error.description) [\(rule.rawValue)]"]
        }
        switch error {
        case .store(let error): self.init(store: error)
        case .unexpectedLayout(let path, _):
            self.init(.badData, path, error.reason, "unexpected-layout")
        case .inTheWay(let path, _): self.init(.refused, path, error.reason, "object-in-the-way")
        case .damaged(let path, _): self.init(.refused, path, error.reason, "damaged-store")
        case .otherApp(let path, _):
            self.init(.refused, path, error.reason, "unknown-store-version")
        case .notInferable(let refusals):
            self.init(.refused, saying: refusals.map(\.diagnostic))
        case .rows(let findings):
            self.init(.refused, findings.map { "error: \($0.description) [rows-at-stake]" })
            self.findings = findings
        case .checkFailed(let path, _, _, _):
            self.init(.failed, path, error.reason, "migration-check")
        case .stages: self.init(.refused, line("stages"))
        case .script(let path, let place, let column, let reason):
            let place = SourceLocation(path: path, line: place, column: column)
            self.init(.failed, saying: [Diagnostic("stage-script", reason, at: place)])
        case .handler: self.init(.failed, line("stage-handler"))
        case .stageFindings: self.init(.failed, line("stage-check"))
        case .map(_, let diagnostics): self.init(.refused, saying: diagnostics)
        case .interrupted: self.init(.failed, line("interrupted"))
        }
    }

    /// Takes an error of the system about a file or a folder.
    private init(system error: CocoaError) {
        let path = error.filePath ?? error.url?.path
        let (kind, reason): (Kind, String) =
            switch error.code {
            case .fileReadNoSuchFile, .fileNoSuchFile: (.noInput, "no such file or folder")
            case .fileReadNoPermission: (.noInput, "permission denied")
            case .fileReadCorruptFile, .fileReadInapplicableStringEncoding, .fileReadTooLarge,
                .propertyListReadCorrupt, .formatting:
                (.badData, systemReason(error))
            case .fileWriteFileExists: (.cannotCreate, "exists already")
            case .fileWriteNoPermission, .fileWriteVolumeReadOnly, .fileWriteInvalidFileName:
                (.cannotCreate, "permission denied")
            default: (.inputOutput, systemReason(error))
            }
        let rule: RuleID = kind == .cannotCreate ? "cannot-create" : "unreadable-file"
        guard let path else {
            self.init(kind, ["error: \(reason) [\(rule.rawValue)]"])
            return
        }
        self.init(kind, path, reason, rule)
    }
}

extension DecodingError {
    fileprivate var reason: String {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context),
            .keyNotFound(_, let context), .dataCorrupted(let context):
            context.debugDescription
        @unknown default: "\(self)"
        }
    }
}

extension StoreError {
    fileprivate var kind: MomtoolError.Kind {
        switch self {
        case .noSuchFile: .noInput
        case .notADatabase, .truncated, .notAStore, .damagedMetadata, .damagedModelCache: .badData
        case .inUse, .readOnly: .refused
        case .alreadyExists, .cannotCreate: .cannotCreate
        case .inaccessible: .inputOutput
        case .sqlite(_, let code, _, _):
            switch code & 0xFF {
            case 11, 26: .badData  // SQLITE_CORRUPT, SQLITE_NOTADB
            // SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN
            case 8, 10, 13, 14: .inputOutput
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

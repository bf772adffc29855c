public import Diagnostics
import FileSystem
public import Essentials
package import MigrationPlanning
import RowExchange
import SQLiteAccess
import StoreFormat
package import StoreMigration

/// Why something was not done: the one error of the library.
///
/// ```swift
/// do throws(MomtoolError) {
///     try migrator.migrate(store, to: "New.sqlite")
/// } catch {
///     for diagnostic in error.diagnostics { print(diagnostic.message, diagnostic.advice) }
/// }
/// ```
///
/// ## Topics
///
/// ### What happened
/// - ``kind-swift.property``
/// - ``diagnostics``
/// - ``cause``
///
/// ### What to do
/// - ``advice``
public struct MomtoolError: Error, Sendable, Hashable {
    /// The kind of failure, by who can do something about it.
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// Models, rows or options forbid it, before anything was written.
        case refused
        /// It failed while running, and everything is as before.
        case failed
        /// The request makes no sense.
        case usage
        case badData
        case noInput
        case cannotCreate
        case inputOutput
        /// The task was cancelled, and everything is as before.
        case cancelled
    }

    /// What kind of failure it is.
    public var kind: Kind
    /// What is wrong, with its location, rule and rows, and the advice that would let it pass.
    public package(set) var diagnostics: [Diagnostic]
    /// What happened to the work, or what else may help, one per line.
    package var remarks: [Wording] = []
    /// The path of the mapping model that cannot be used, where that is the reason.
    package internal(set) var mappingModel: String?
    /// The chain that it would be a step of, if only the app's own code takes several steps.
    var chain: MappingChain?
    /// Whether its policies are declared, and that cannot be performed.
    var isOfDeclaredPolicy = false
    /// The refused steps that block every route, where that is the reason.
    package var deadEnds: [MigrationPlan] = []
    /// What the rows forbid, or losses without agreement, where that is the reason.
    package var findings: [RowFinding] = []
    private var origin: Origin?
    /// The advice that was followed, and did not suffice.
    private var followed: [Advice] = []

    /// What would permit it, each once, without advice that was already followed; empty if no advice helps.
    ///
    /// With all of it the same call continues, or is refused for something that could not be seen before. If some is not
    /// `Advice.isComplete`, a person has to add a name first.
    public var advice: [Advice] {
        let new = diagnostics.flatMap(\.advice)
        guard !new.isEmpty else { return [] }
        var known: Set<Advice> = []
        return (followed + new).filter { known.insert($0).inserted }
    }

    /// The underlying error: from Swift code of a stage, the system or a library; `nil` for none.
    public var cause: (any Error)? {
        if case .handler(_, _, let thrown)? = migration, let error = thrown.error { return error }
        return origin?.error
    }

    package var migration: StoreMigrationError? { origin?.error as? StoreMigrationError }

    func following(_ advice: [Advice]) -> MomtoolError {
        var error = self
        error.followed = advice
        return error
    }

    package init(
        _ kind: Kind,
        _ path: String,
        _ message: String,
        _ rule: RuleID,
        advice: [Advice] = []
    ) { self.init(kind, path, saying: Wording(message), rule, advice: advice) }

    /// Creates an error with one message about a file; its advice is by default that of the message.
    package init(
        _ kind: Kind,
        _ path: String,
        saying wording: Wording,
        _ rule: RuleID,
        advice: [Advice]? = nil
    ) {
        let place = FileLocation(path: path)
        let advice = advice ?? wording.advice
        self.init(kind, saying: [Diagnostic(rule, saying: wording, at: place, advice: advice)])
    }

    package init(_ kind: Kind, saying wording: Wording, _ rule: RuleID, advice: [Advice]? = nil) {
        let advice = advice ?? wording.advice
        self.init(kind, saying: [Diagnostic(rule, saying: wording, advice: advice)])
    }

    /// Creates the error of a call that makes no sense, without a file.
    package init(usage wording: Wording) { self.init(.usage, saying: wording, "usage") }

    package init(_ kind: Kind, saying diagnostics: [Diagnostic]) {
        (self.kind, self.diagnostics) = (kind, diagnostics)
    }

    static func cancelled(_ work: String) -> MomtoolError {
        MomtoolError(.cancelled, saying: "\(work) was cancelled", "interrupted")
    }

    /// An error below this one; two are equal when their messages are.
    private struct Origin: Sendable, Hashable {
        var error: any Error

        static func == (left: Origin, right: Origin) -> Bool { "\(left.error)" == "\(right.error)" }

        func hash(into hasher: inout Hasher) { hasher.combine("\(error)") }
    }

    /// Returns the error with a path before each message that names none.
    package func naming(_ path: String) -> MomtoolError {
        var error = self
        for index in diagnostics.indices where diagnostics[index].location == nil {
            error.diagnostics[index].location = FileLocation(path: path)
        }
        return error
    }
}

/// Does some work, whose errors become those of the library; `store` is nil if no store is concerned.
package func asked<Result>(
    of store: String? = nil,
    _ body: () throws -> Result
) throws(MomtoolError) -> Result {
    do { return try body() } catch {
        let error = MomtoolError(error)
        throw store.map(error.naming) ?? error
    }
}

extension MomtoolError: CustomStringConvertible {
    /// What is wrong and what to do, as code says it, a line or more each.
    public var description: String { description(in: .code) }

    /// The same as printed, with the advice.
    package var lines: [Wording] { diagnostics.map(\.shown.advised) + remarks.map(\.onOneLine) }

    package func description(in words: Words) -> String {
        lines.map { $0.text(in: words) }.joined(separator: "\n")
    }
}

extension MomtoolError: LocalizedError {
    /// The same as ``description``, which `localizedDescription` then is.
    public var errorDescription: String? { description }
}

extension MomtoolError {
    package init(_ error: any Error) {
        if let error = error as? MomtoolError {
            self = error
            return
        }
        self.init(foreign: error)
        origin = Origin(error: error)
    }

    private init(foreign error: any Error) {
        switch error {
        case let error as StoreError: self.init(store: error)
        case let error as FileError: self.init(file: error)
        case let error as StoreMigrationError: self.init(migration: error)
        case let error as StagedPlanError: self.init(migration: .stages(error))
        case let error as DecodingError:
            self.init(.badData, saying: Wording(error.reason), "unreadable-file")
        case let error as CocoaError: self.init(system: error)
        default:
            // Foundation's errors on other systems, and all others.
            self.init(.failed, saying: Wording(systemReason(error)), "unexpected-error")
        }
    }

    private init(store error: StoreError) {
        switch error {
        case .rows(let fault): self.init(error.kind, saying: [fault])
        case .incomplete(let faults): self.init(error.kind, saying: faults)
        default: self.init(ofStore: error.namingStrayLog)
        }
    }

    private init(ofStore error: StoreError) {
        var reason = error.wording
        if case .notADatabase(let path, mayBeEncrypted: false) = error {
            reason = Wording(InputKind.noDatabaseWords(at: path))
        }
        if case .noSuchFile(let path) = error { reason += Wording(suggestion(forPath: path)) }
        self.init(error.kind, error.path, saying: reason, error.rule)
    }

    private init(file error: FileError) { self.init(store: StoreError(error)) }

    private init(migration error: StoreMigrationError) {
        switch error {
        case .store(let error): self.init(store: error)
        case .noRoom(let path, _, _): self.init(.refused, path, saying: error.reason, "no-room")
        case .unexpectedLayout(let path, _):
            self.init(.badData, path, saying: error.reason, "unexpected-layout")
        case .inTheWay(let path, _):
            self.init(.refused, path, saying: error.reason, "object-in-the-way")
        case .damaged(let path, _): self.init(.refused, path, saying: error.reason, "damaged-store")
        case .otherApp(let path, let destination):
            self.init(
                .refused,
                path,
                StoreMigrationError.otherAppWords(destination),
                .unknownStoreVersion,
                advice: [.nameOlderModel]
            )
        case .notInferable(let refusals): self.init(.refused, saying: refusals.map(\.diagnostic))
        case .rows(let findings):
            self.init(.refused, saying: findings.map(\.diagnostic.asError))
            self.findings = findings
        case .checkFailed(let path, _, _, _):
            self.init(.failed, path, saying: error.reason, "migration-check")
        case .stages: self.init(.refused, saying: error.wording, "stages")
        case .script(let path, let line, let column, let reason):
            let place = FileLocation(path: path, line: line, column: column)
            self.init(.failed, saying: [Diagnostic("stage-script", reason, at: place)])
        case .programNotAllowed(let path, let line, let column, _):
            let place = FileLocation(path: path, line: line, column: column)
            let rule: RuleID = "program-not-allowed"
            self.init(.refused, saying: [Diagnostic(rule, saying: error.reason, at: place)])
        case .handler: self.init(.failed, saying: error.wording, "stage-handler")
        case .stageFindings(let stage, let findings):
            let broken: Wording = "stage '\(stage)' leaves the store damaged"
            self.init(.failed, saying: [Diagnostic("stage-check", saying: broken)] + findings)
        case .map(_, let diagnostics): self.init(.refused, saying: diagnostics)
        case .interrupted(_, isTimeout: true):
            self.init(.failed, saying: error.reason, "interrupted", advice: [.allowTime])
        case .interrupted(_, isTimeout: false):
            self.init(.cancelled, saying: error.reason, "interrupted")
        }
    }

    private init(system error: CocoaError) {
        let path = error.filePath ?? error.url?.path
        let (kind, reason): (Kind, String) =
            switch error.code {
            case .fileReadNoSuchFile, .fileNoSuchFile: (.noInput, "no such file or folder")
            case .fileReadNoPermission: (.noInput, "permission denied")
            case .fileReadCorruptFile, .fileReadInapplicableStringEncoding, .fileReadTooLarge,
                .propertyListReadCorrupt, .formatting:
                (.badData, systemReason(error))
            case .fileWriteFileExists: (.cannotCreate, "already exists")
            case .fileWriteNoPermission, .fileWriteVolumeReadOnly, .fileWriteInvalidFileName:
                (.cannotCreate, "permission denied")
            default: (.inputOutput, systemReason(error))
            }
        let rule: RuleID = kind == .cannotCreate ? "cannot-create" : "unreadable-file"
        guard let path else {
            self.init(kind, saying: Wording(reason), rule)
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
        case .rows(let fault):
            switch fault.rule {
            case "other-model": .refused
            case "unusable-predicate": .usage
            default: fault.location == nil ? .usage : .badData
            }
        case .incomplete: .badData
        }
    }

    fileprivate var rule: RuleID {
        switch self {
        case .noSuchFile: "no-such-file"
        case .inaccessible: "inaccessible-file"
        case .notADatabase: "not-a-database"
        case .truncated: "truncated-store"
        case .notAStore: "not-a-store"
        case .inUse: .storeInUse
        case .damagedMetadata: "damaged-metadata"
        case .damagedModelCache: "damaged-model-cache"
        case .readOnly: "read-only-store"
        case .alreadyExists: "file-exists"
        case .cannotCreate: "cannot-create"
        case .sqlite: "sqlite-error"
        case .rows(let fault): fault.rule
        case .incomplete(let faults): faults.first?.rule ?? "missing-row-value"
        }
    }
}

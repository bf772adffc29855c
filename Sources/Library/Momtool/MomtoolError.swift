public import Diagnostics
import FileSystem
import Essentials
package import MigrationPlanning
import ObjectModel
import RowExchange
import SQLiteAccess
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
    /// What kind of failure it is, by who can do something about it.
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// It was refused before anything was written: models, rows or options are against it.
        case refused
        /// It failed while running, and everything is as it was.
        case failed
        /// The request makes no sense.
        case usage
        /// The input is not what it should be.
        case badData
        /// There is no input, or none that can be read.
        case noInput
        /// The output cannot be made.
        case cannotCreate
        /// Reading or writing failed.
        case inputOutput
        /// The task was cancelled, and everything is as it was.
        case cancelled
    }

    /// What kind of failure it is.
    public var kind: Kind
    /// What is wrong, with its location and rule, the rows that it is about, and what would let it pass.
    public package(set) var diagnostics: [Diagnostic]
    /// The same in the words of the command line, a line or more each; empty when already printed.
    package var messages: [String]
    /// The path of the mapping model that cannot be carried out, where that is why.
    package internal(set) var mappingModel: String?
    /// The refused steps that keep every route from its end, where that is why.
    package var deadEnds: [MigrationPlan] = []
    /// What the rows say against it, or what would be lost without agreement, where that is why.
    package var findings: [RowFinding] = []
    private var origin: Origin?
    /// The advice that was followed, and did not suffice.
    private var followed: [Advice] = []

    /// What would let it go on, each once, behind what was followed already; empty where no advice does.
    ///
    /// The same call goes on with all of it, or is refused for something that could not be seen before.
    public var advice: [Advice] {
        let new = diagnostics.flatMap(\.advice)
        guard !new.isEmpty else { return [] }
        var known: Set<Advice> = []
        return (followed + new).filter { known.insert($0).inserted }
    }

    /// What led to this error: what Swift code of a stage threw, else the error of the system or of a library below;
    /// `nil` where there is none.
    public var cause: (any Error)? {
        if case .handler(_, _, let thrown)? = migration, let error = thrown.error { return error }
        return origin?.error
    }

    /// The error of the migration, where that is why.
    package var migration: StoreMigrationError? { origin?.error as? StoreMigrationError }

    /// The error of a call that followed some advice.
    func following(_ advice: [Advice]) -> MomtoolError {
        var error = self
        error.followed = advice
        return error
    }

    /// Creates an error of lines for people, such as `error: MESSAGE [RULE]`.
    package init(_ kind: Kind, _ messages: [String]) {
        self.kind = kind
        self.messages = messages
        diagnostics = messages.compactMap(Diagnostic.init(line:))
    }

    /// Creates an error with one message about a file.
    package init(
        _ kind: Kind,
        _ path: String,
        _ message: String,
        _ rule: RuleID,
        advice: [Advice] = []
    ) {
        let place = SourceLocation(path: path)
        self.init(kind, saying: [Diagnostic(rule, message, at: place, advice: advice)])
    }

    /// Creates an error of what was found.
    package init(_ kind: Kind, saying diagnostics: [Diagnostic]) {
        self.kind = kind
        messages = diagnostics.map(\.shown.commandLine)
        self.diagnostics = diagnostics
    }

    /// Creates the error of work that was cancelled.
    static func cancelled(_ work: String) -> MomtoolError {
        MomtoolError(.cancelled, ["error: \(work) was cancelled [interrupted]"])
    }

    /// An error below this one; two are equal when they say the same.
    private struct Origin: Sendable, Hashable {
        var error: any Error

        static func == (left: Origin, right: Origin) -> Bool {
            "\(left.error)" == "\(right.error)"
        }

        func hash(into hasher: inout Hasher) { hasher.combine("\(error)") }
    }
}

extension MomtoolError {
    /// Returns the error with a path before each message that names none, so that it is said what it is about.
    package func naming(_ path: String) -> MomtoolError {
        var error = self
        error.messages = messages.map { $0.hasPrefix("error: ") ? "\(path): \($0)" : $0 }
        for index in diagnostics.indices where diagnostics[index].location == nil {
            error.diagnostics[index].location = SourceLocation(path: path)
        }
        return error
    }
}

extension MomtoolError: CustomStringConvertible {
    /// What is wrong and what to do, a line or more each, with the advice in the words of code.
    public var description: String {
        advice.reduce(messages.joined(separator: "\n")) { text, advice in
            text.replacing(advice.option, with: advice.description)
        }
    }
}

extension Diagnostic {
    /// The diagnostic with its advice, in the words of the command line.
    fileprivate var commandLine: String {
        guard !advice.isEmpty else { return description }
        var copy = self
        copy.message = ([message] + advice.map(\.option)).joined(separator: "; ")
        return copy.description
    }

    /// Reads a line that was made for people: `error: MESSAGE [RULE]`, maybe behind a path.
    fileprivate init?(line: String) {
        guard let mark = line.firstRange(of: "error: "), !line.hasPrefix("note: ") else {
            return nil
        }
        var message = String(line[mark.upperBound...])
        var rule: RuleID = "unexpected-error"
        if message.hasSuffix("]"), let start = message.lastIndex(of: "[") {
            rule = RuleID(rawValue: String(message[message.index(after: start)...].dropLast()))
            message = String(message[..<start].dropLast())
        }
        let path = line[..<mark.lowerBound].dropLast(2)
        let place = path.isEmpty ? nil : SourceLocation(path: String(path))
        self.init(rule, message, at: place)
    }
}

extension MomtoolError {
    /// Takes an error of whatever kind.
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
        case let error as RowExchangeError: self.init(rows: error)
        case let error as StoreMigrationError:
            self.init(migration: error)
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
        if case .noSuchFile(let path) = error { reason += suggestion(forPath: path) }
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
        case .noRoom(let path, _, _): self.init(.refused, path, error.reason, "no-room")
        case .unexpectedLayout(let path, _):
            self.init(.badData, path, error.reason, "unexpected-layout")
        case .inTheWay(let path, _): self.init(.refused, path, error.reason, "object-in-the-way")
        case .damaged(let path, _): self.init(.refused, path, error.reason, "damaged-store")
        case .otherApp(let path, _):
            let reason = error.reason.split(separator: "; ").first.map(String.init) ?? error.reason
            self.init(
                .refused,
                path,
                reason,
                "unknown-store-version",
                advice: [.nameOlderModel]
            )
        case .notInferable(let refusals):
            self.init(.refused, saying: refusals.map(\.diagnostic))
        case .rows(let findings):
            self.init(.refused, findings.map { "error: \($0.description) [rows-at-stake]" })
            diagnostics = findings.map {
                var refusal = $0.diagnostic
                refusal.severity = .error
                return refusal
            }
            self.findings = findings
        case .checkFailed(let path, _, _, _):
            self.init(.failed, path, error.reason, "migration-check")
        case .stages: self.init(.refused, line("stages"))
        case .script(let path, let place, let column, let reason):
            let place = SourceLocation(path: path, line: place, column: column)
            self.init(.failed, saying: [Diagnostic("stage-script", reason, at: place)])
        case .programNotAllowed(let path, let place, let column, let name):
            let place = SourceLocation(path: path, line: place, column: column)
            let reason = "the stage runs the program '\(name)'; allow that with --allow-programs"
            self.init(.refused, saying: [Diagnostic("program-not-allowed", reason, at: place)])
        case .handler: self.init(.failed, line("stage-handler"))
        case .stageFindings: self.init(.failed, line("stage-check"))
        case .map(_, let diagnostics): self.init(.refused, saying: diagnostics)
        case .interrupted(_, let isTimeout):
            self.init(isTimeout ? .failed : .cancelled, line("interrupted"))
            if isTimeout { advise(.allowTime) }
        }
    }

    /// Takes the end of the diagnostics' messages, which says an option of the command, as advice.
    private mutating func advise(_ advice: Advice) {
        for index in diagnostics.indices {
            guard let end = diagnostics[index].message.ranges(of: "; ").last else { continue }
            diagnostics[index].message.removeSubrange(end.lowerBound...)
            diagnostics[index].advice = [advice]
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

package import Diagnostics
import FileSystem
package import MappingInference
package import MigrationPlanning
package import SQLiteAccess
import StoreFormat

/// Why a store was not migrated; in every case it is as it was.
package enum StoreMigrationError: Error, Sendable, Hashable {
    case store(StoreError)
    /// The file system has fewer free bytes than the migration takes.
    case noRoom(path: String, needed: Int, free: Int)
    case unexpectedLayout(path: String, missing: [String])
    /// The store has something in the way of the new version that no model explains.
    case inTheWay(path: String, objects: [String])
    /// The store shares no entity with the version that it should get: it belongs to another app.
    case otherApp(path: String, destination: String)
    /// Core Data would refuse the change for any rows.
    case notInferable([Refusal])
    case damaged(path: String, [StoreDamage])
    /// The rows prevent it, or would lose something that was not agreed to.
    case rows([RowFinding])
    case checkFailed(path: String, subject: String, expected: String, found: String)
    case stages(StagedPlanError)
    /// A script of a stage failed, or did what scripts may not; line and column are counted from 1.
    case script(path: String, line: Int, column: Int, reason: String)
    /// A stage names a program, and programs are not allowed; line and column are counted from 1.
    case programNotAllowed(path: String, line: Int, column: Int, name: String)
    case handler(stage: String, reason: String, thrown: ThrownError = ThrownError())
    case stageFindings(stage: String, [Diagnostic])
    case map(stage: String, [Diagnostic])
    /// The migration was cancelled, or a script took longer than it may.
    case interrupted(stage: String, isTimeout: Bool)

    /// Whether the disk was at fault, and not the rows, the models or the stages.
    var isOfDisk: Bool { if case .store(let error) = self { error.isOfDisk } else { false } }

    var isOfStage: Bool {
        switch self {
        case .script, .handler, .stageFindings, .map, .interrupted(_, isTimeout: true): true
        default: false
        }
    }

    package static func otherAppWords(_ destination: String) -> String {
        "the store seems to belong to another app: '\(destination)' has none of its entities"
    }
}

/// The error that Swift code of a stage threw; the reason beside it distinguishes two of them.
package struct ThrownError: Sendable, Hashable {
    /// The error; `nil` where it is not known.
    package var error: (any Error)?

    package init(_ error: (any Error)? = nil) { self.error = error }

    package static func == (left: ThrownError, right: ThrownError) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}
}

extension StoreError {
    /// What is wrong, without the path, and what to do.
    package var wording: Wording {
        if case .readOnly = self {
            "\(reason); migrate to a new file with \(.elsewhere)"
        } else {
            Wording(reason)
        }
    }
}

extension StoreMigrationError: CustomStringConvertible {
    /// What is wrong, in the words of code; lower case, no final period, a line for each finding.
    package var description: String { wording.text(in: .code) }

    package var wording: Wording {
        switch self {
        case .store(let error): "\(error.path): \(error.wording)"
        case .noRoom(let path, _, _), .unexpectedLayout(let path, _), .inTheWay(let path, _),
            .otherApp(let path, _), .checkFailed(let path, _, _, _), .damaged(let path, _):
            "\(path): \(reason)"
        case .notInferable(let refusals): refusals.map(\.diagnostic.printed).joined(separator: "\n")
        case .rows(let findings): findings.map(\.wording.onOneLine).joined(separator: "\n")
        case .stages(let error): Wording(error.description)
        case .script(let path, let line, let column, let reason):
            "\(path):\(line):\(column): \(reason)"
        case .programNotAllowed(let path, let line, let column, _):
            "\(path):\(line):\(column): \(reason)"
        case .handler(let stage, let reason, _): "stage '\(stage)': the handler failed: \(reason)"
        case .stageFindings(let stage, let findings):
            "stage '\(stage)' leaves the store damaged:\n\(findings.map(\.printed).joined(separator: "\n"))"
        case .map(_, let diagnostics): diagnostics.map(\.printed).joined(separator: "\n")
        case .interrupted(_, isTimeout: true): "\(reason); \(.advice(.allowTime))"
        case .interrupted: reason
        }
    }

    /// What is wrong, without the path of the store and without what a caller may advise.
    package var reason: Wording {
        switch self {
        case .noRoom(_, let needed, let free):
            """
            the migration needs about \(byteWords(needed)) here, but only \(byteWords(free)) are free; free space, or write the \
            new store elsewhere with \(.elsewhere)
            """
        case .store(let error): error.wording
        case .inTheWay(_, let objects):
            """
            in the way of the new version, and not created by Core Data: \(objects.joined(separator: "; ")); rename or remove \
            it first
            """
        case .otherApp(_, let destination):
            "\(Self.otherAppWords(destination)); if all were replaced, \(.olderModel)"
        case .damaged(_, let damage):
            """
            the store was already damaged, and cannot be migrated as it is: \
            \(damage.prefix(5).map(\.wording.onOneLine).joined(separator: "; "))\(damage.count > 5 ? " …" : "")
            """
        case .unexpectedLayout(_, let missing): "\(layoutFault(missing))"
        case .checkFailed(_, let subject, let expected, let found):
            "the result was wrong and has been discarded: \(subject) is \(found), not \(expected)"
        case .programNotAllowed(_, _, _, let name):
            "the stage runs the program '\(name)'; \(.programs)"
        case .interrupted(let stage, isTimeout: true): "stage '\(stage)' took too long"
        case .interrupted(let work, isTimeout: false): "cancelled at '\(work)'"
        case .notInferable, .rows, .stages, .script, .handler, .stageFindings, .map: wording
        }
    }
}

/// Runs code that touches a store and converts its errors.
func storeErrors<Result>(
    _ body: () throws(StoreError) -> Result
) throws(StoreMigrationError) -> Result {
    do throws(StoreError) {
        return try body()
    } catch {
        throw .store(error)
    }
}

func storeErrors<Result>(
    _ value: @autoclosure () throws(StoreError) -> Result
) throws(StoreMigrationError) -> Result { try storeErrors { () throws(StoreError) in try value() } }

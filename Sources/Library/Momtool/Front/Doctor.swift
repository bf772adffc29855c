import Diagnosing
public import Diagnostics
import Essentials
import FileSystem
import LogReading
import ModelLoading
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration

/// Finds what is wrong with a store, and repairs what can be repaired without inventing anything.
///
/// ```swift
/// let doctor = Doctor(try Model("Shop.xcdatamodeld"))
/// for advice in try doctor.examine("Shop.sqlite").remedies.compactMap(\.repair) {
///     print(try doctor.repair("Shop.sqlite", to: "Repaired.sqlite", following: advice))
/// }
/// ```
///
/// ## Topics
///
/// ### Creating
/// - ``init(_:)``
///
/// ### Examining
/// - ``Examination``
/// - ``Remedy``
///
/// ### Repairing
/// - ``Repair``
public struct Doctor: Sendable {
    package let model: Model?

    /// What was found in a store.
    public struct Examination: Sendable, Hashable {
        /// Whether there is nothing to do.
        public var isHealthy: Bool
        /// The versions of the model with the hashes of the store; empty when none has them.
        public var versionNames: [String]
        /// Whether Core Data opens the store with the current version, after a migration if needed; `nil` if unknown.
        public var opens: Bool?
        /// What is wrong with the file, its layout and its rows, and why Core Data does not open it.
        public var diagnostics: [Diagnostic]
        /// What to do, the best first.
        public var remedies: [Remedy]
    }

    /// Creates a doctor.
    ///
    /// `model` is the one that the app opens its stores with; without it, a store is judged by what it carries.
    public init(_ model: Model? = nil) { self.model = model }

    /// Examines a store, also one that cannot be opened.
    ///
    /// Where something of the current version is not understood, all versions are left out: the store is examined by
    /// what it carries, and a warning names each part.
    ///
    /// Throws if the file does not exist, or the model names no current version.
    public func examine(
        _ path: String,
        progress: ProgressHandler? = nil
    ) throws(MomtoolError) -> Examination {
        guard let identity = FileIdentity(of: path) else {
            throw MomtoolError(StoreError.noSuchFile(path: path))
        }
        guard !identity.isFolder else {
            throw MomtoolError(StoreError.notADatabase(path: path, mayBeEncrypted: false))
        }
        var context: ModelContext?
        if let model {
            let hashes = try? StoreFile(path: path).metadata().hashes
            context = try self.context(of: model, narrowedFor: hashes)
        }
        // Without its hashes it is not known whether a version opens a store.
        let unknown = try context == nil ? model?.version().gapWarnings ?? [] : []
        let (relay, cancellation) = (ProgressRelay(progress), MigrationCancellation.current)
        var examination: Examination
        do throws(StoreError) {
            let file = try StoreFile(path: path)
            let report = relay.counting("doctor")
            examination = Examination(
                try diagnose(file, context, cancellation: cancellation, progress: report)
            )
        } catch {
            guard cancellation?.isCancelled != true else { throw .cancelled("the examination") }
            examination = Examination(diagnoseUnreadable(path, because: error, context))
        }
        examination.diagnostics += unknown
        relay?.finish()
        return examination
    }

    private func context(
        of model: Model,
        narrowedFor hashes: ModelHashes?
    ) throws(MomtoolError) -> ModelContext? {
        let name = try model.version().name
        guard var bundle = model.bundle.forExamination else { return nil }
        bundle = hashes.flatMap { bundle.narrowed(for: $0) } ?? bundle
        // Classes of another container than the plan's have no version of this name.
        let current = try bundle.chosenVersion(bundle.version(named: name)?.name)
        var context = ModelContext(
            argument: model.path,
            versions: bundle.versions,
            current: current
        )
        context.take(from: bundle)
        context.findRoutes { () throws(MomtoolError) in try Migrator(model, to: current.name) }
        return context
    }
}

extension Doctor.Examination: CustomStringConvertible {
    /// The outcome on one line, such as `of V1, does not open: 2 findings, 3 remedies`.
    public var description: String {
        let version =
            versionNames.isEmpty
            ? "of no known version" : "of \(versionNames.joined(separator: ", "))"
        let state = opens.map { $0 ? ", opens" : ", does not open" } ?? ""
        let found = isHealthy ? "healthy" : diagnostics.count.counted("finding")
        return "\(version)\(state): \(found), \(remedies.count.counted("remedy", "remedies"))"
            .onOneLine
    }
}

extension Doctor.Examination {
    fileprivate init(_ diagnosis: Diagnosis) {
        isHealthy = diagnosis.isHealthy
        diagnostics = diagnosis.findings.map { $0.at(diagnosis.subject) }
        remedies = diagnosis.waysOut.map { Doctor.Remedy($0) }
        (versionNames, opens) = ([], nil)
        guard let writer = diagnosis.writers.first else { return }
        if case .versions(let names, _) = writer.identity { versionNames = names }
        diagnostics += writer.refusals.map { $0.at(diagnosis.subject) }
        // What Core Data does is unknown for a store that lacks parts of its model, or where a route cannot be read.
        guard writer.obstacle == nil, !writer.isUncertain else { return }
        switch writer.forecast {
        case .opens, .migrates: opens = true
        case .migratesAlong(let road, _, let rows)
        where road.runsUnknownCode && !road.fails(on: rows): break
        case .migratesAlong(_, _, let rows): opens = !rows.contains(where: \.failsInCoreData)
        case .failsOnRows, .refused, .stopsInStages, .sourceModelMissing: opens = false
        case .migratesUnseen, .unknown: break
        }
    }
}

extension Diagnosis.Writer {
    /// Why Core Data does not open the store; empty where it does, or that is not known.
    fileprivate var refusals: [Diagnostic] {
        switch forecast {
        case .refused(let mapping): return mapping.refusals.map(\.diagnostic)
        case .migratesAlong(let road, _, _) where road.mayChangeRows: return []
        case .failsOnRows(_, let rows), .migratesAlong(_, _, let rows):
            return rows.filter(\.risk.isFatal).map(\.diagnostic)
        case .stopsInStages(let refusal): return [Diagnostic(.stagesFail, saying: refusal.reason)]
        case .sourceModelMissing:
            return [Diagnostic(.unknownStoreVersion, mismatch, advice: [.nameOlderModel])]
        case .opens, .migrates, .migratesUnseen, .unknown: return []
        }
    }

    private var mismatch: String {
        switch identity {
        case .foreign(let entities):
            return "the store belongs to another model: this one has none of its entities: "
                + entities.joined(separator: ", ")
        case .nearest(let name, let differences, _):
            let entities = differences.map(\.entity).joined(separator: ", ")
            return
                "no version of the model wrote the store; the nearest is '\(name)', which differs in \(entities)"
        case .absent(let version): return version.remark
        case .versions, .unknown: return "no version of the model wrote the store"
        }
    }
}

extension Doctor {
    /// Something to do about a store.
    public struct Remedy: Sendable, Hashable {
        /// What to do; imperative, without a final period.
        public var text: String
        /// What a repair of the store has to follow, where that is the remedy; `nil` for any other.
        ///
        /// A person completes advice that is not `Advice.isComplete`.
        public var repair: [Advice]?
        /// What ``Migrator/migrate(_:to:following:timeout:progress:)`` has to follow, where that is the remedy; `nil` for
        /// any other.
        public var migration: [Advice]?
        /// The call as in Swift code, such as `Doctor.repair(_:to:following: [remove with .clearLinks])`; `nil` where a
        /// person or only the command line does it.
        package var call: String?
    }
}

extension Doctor.Remedy: CustomStringConvertible {
    /// The text with the call of the library after it, on one line.
    public var description: String { (text + (call.map { ": \($0)" } ?? "")).onOneLine }
}

extension [Advice] {
    fileprivate var argument: String { isEmpty ? "" : "following: \(map(\.description))" }
}

extension Doctor.Remedy {
    init(_ way: WayOut) {
        text = way.advice.text(in: .code)
        guard let parts = way.command?.parts, parts.count == 1,
            case .call(let verb, let words) = parts[0]
        else { return }
        let advice = words.compactMap(\.advice)
        switch verb {
        // Without a result it only looks.
        case .repair where words.contains { if case .output = $0 { true } else { false } }:
            (repair, call) = (advice, "Doctor.repair(_:to:\(advice.argument))")
        // Such a stages file has to be written first.
        case .migrate where !words.contains(.stages("Stages.yml")):
            (migration, call) = (advice, "Migrator.migrate(_:to:\(advice.argument))")
        case .plan: call = "Migrator.losses(of:)"
        case .verify: call = "Store.verify(against:)"
        case .doctor: call = "Doctor.examine(_:)"
        case .identify: call = "Store.version(in:)"
        case .lint: call = "Linter.findings(in:)"
        case .lock: call = "Lock.update()"
        case .checkSchema, .create, .decompile, .generate, .hash, .inspect, .migrate, .repair: break
        }
    }
}

extension HelpfulCommand.Word {
    fileprivate var advice: Advice? {
        switch self {
        case .following(let advice): advice
        case .taking(let version, _): .takeVersion(version)
        default: nil
        }
    }
}

public import Diagnostics
import Diagnosing
import Essentials
import FileSystem
import ModelLoading
import ObjectModel
import SQLiteAccess
import StoreFormat
import StoreMigration

/// Says what is the matter with a store, and repairs what can be repaired without inventing anything.
///
/// ```swift
/// let doctor = Doctor(try Model("Shop.xcdatamodeld"))
/// let findings = try doctor.examine("Shop.sqlite")
/// for remedy in findings.remedies { print(remedy) }
/// ```
///
/// ## Topics
///
/// ### Creating
/// - ``init(_:)``
///
/// ### Examining
/// - ``Examination``
public struct Doctor: Sendable {
    private let model: Model?

    /// What was found in a store.
    public struct Examination: Sendable, Hashable {
        /// Whether there is nothing to do.
        public var isHealthy: Bool
        /// The versions of the model that the store may be of, which have equal hashes; empty when none fits.
        public var versionNames: [String]
        /// Whether Core Data opens the store with the current version, after a migration where one is needed; `nil` where
        /// that cannot be told.
        public var opens: Bool?
        /// What is wrong with the file, its layout and its rows, and why Core Data does not open it.
        public var diagnostics: [Diagnostic]
        /// What to do, the best first; imperative, without a final period.
        public var remedies: [String]
    }

    /// Creates a doctor.
    ///
    /// - Parameter model: the model that the app opens its stores with; `nil` to go by what a store carries.
    public init(_ model: Model? = nil) {
        self.model = model
    }

    /// Examines a store, also one that cannot be opened.
    ///
    /// - Parameters:
    ///   - path: the path of the store.
    ///   - progress: is called now and then.
    /// - Returns: what was found.
    /// - Throws: ``MomtoolError`` when there is no such file, or the model names no current version.
    public func examine(
        _ path: String,
        progress: ProgressHandler? = nil
    ) throws(MomtoolError) -> Examination {
        guard let identity = FileIdentity(of: path), !identity.isFolder else {
            throw MomtoolError(.noInput, path, "no such file", .unreadableFile)
        }
        let context = try model.map(context)
        do throws(StoreError) {
            let told = progress.counting("doctor")
            return Examination(try diagnose(StoreFile(path: path), context, progress: told))
        } catch {
            return Examination(diagnoseUnreadable(path, because: error, context))
        }
    }

    private func context(of model: Model) throws(MomtoolError) -> ModelContext {
        let current = try model.version()
        var context = ModelContext(
            argument: model.path,
            versions: model.versions,
            current: current
        )
        context.take(from: model.bundle)
        context.findRoutes { () throws(MomtoolError) in try Migrator(model, to: current.name) }
        return context
    }

    /// Examines a store, on a thread of its own.
    ///
    /// - Parameters:
    ///   - path: the path of the store.
    ///   - progress: is called now and then, on that thread.
    /// - Returns: what was found.
    /// - Throws: ``MomtoolError`` when there is no such file, or the model names no current version.
    public func examine(
        _ path: String,
        progress: ProgressHandler? = nil
    ) async throws(MomtoolError) -> Examination {
        try await inBackground { _ throws(MomtoolError) in try examine(path, progress: progress) }
    }

    /// Repairs a copy of a store into a new file; the store itself is only read.
    ///
    /// Missing tables, columns, indexes and numbers come back, wrong keys and counters are computed again, and links that
    /// one side still knows are written on the other. Nothing is invented: where a value is missing it is refused.
    ///
    /// - Parameters:
    ///   - store: the store.
    ///   - output: the path of the new file, where nothing may be yet.
    ///   - clearsLinks: whether links to objects that do not exist are removed.
    ///   - progress: is called now and then.
    /// - Returns: what was done, a line each.
    /// - Throws: ``MomtoolError`` where a decision is needed; then there is no new file.
    public func repair(
        _ store: Store,
        to output: String,
        clearingLinks clearsLinks: Bool = false,
        progress: ProgressHandler? = nil
    ) throws(MomtoolError) -> [String] {
        try repair(store, output, clearsLinks, nil, progress)
    }

    /// Repairs a copy of a store into a new file, on a thread of its own; cancelling the task stops the work, and then
    /// there is no new file.
    ///
    /// - Parameters:
    ///   - store: the store.
    ///   - output: the path of the new file, where nothing may be yet.
    ///   - clearsLinks: whether links to objects that do not exist are removed.
    ///   - progress: is called now and then, on that thread.
    /// - Returns: what was done, a line each.
    /// - Throws: ``MomtoolError`` where a decision is needed; then there is no new file.
    public func repair(
        _ store: Store,
        to output: String,
        clearingLinks clearsLinks: Bool = false,
        progress: ProgressHandler? = nil
    ) async throws(MomtoolError) -> [String] {
        try await inBackground { cancellation throws(MomtoolError) in
            try repair(store, output, clearsLinks, cancellation, progress)
        }
    }

    private func repair(
        _ store: Store,
        _ output: String,
        _ clearsLinks: Bool,
        _ cancellation: MigrationCancellation?,
        _ progress: ProgressHandler?
    ) throws(MomtoolError) -> [String] {
        let (file, content) = try store.reading(by: model)
        do {
            let repair = try StoreRepair(
                of: file,
                against: content,
                options: RepairOptions(clearsLinks: clearsLinks),
                cancellation: cancellation,
                progress: progress.counting("look")
            )
            guard repair.obstacles.isEmpty else {
                throw MomtoolError(
                    .refused,
                    saying: repair.obstacles.map { obstacle in
                        Diagnostic(
                            "repair-needs-decision",
                            obstacle.problem,
                            at: FileLocation(path: store.path),
                            element: obstacle.asksFor
                        )
                    }
                )
            }
            try repair.run(
                from: file,
                toNewFile: output,
                cancellation: cancellation,
                progress: progress.counting("repair")
            )
            return repair.steps.map(\.purpose)
        } catch {
            throw MomtoolError(error)
        }
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
        remedies = diagnosis.waysOut.map { $0.advice.text(in: .code) }
        (versionNames, opens) = ([], nil)
        guard let writer = diagnosis.writers.first else { return }
        if case .versions(let names, _) = writer.identity { versionNames = names }
        diagnostics += writer.refusals.map { $0.at(diagnosis.subject) }
        // What Core Data does with a store that lacks what its model has is not known.
        guard writer.obstacle == nil else { return }
        switch writer.forecast {
        case .opens, .migrates: opens = true
        case .migratesAlong(_, _, let rows): opens = !rows.contains { $0.risk.isFatal }
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
        case .failsOnRows(_, let rows), .migratesAlong(_, _, let rows):
            return rows.filter(\.risk.isFatal).map(\.diagnostic)
        case .stopsInStages(_, let reason): return [Diagnostic(.stagesFail, saying: reason)]
        case .sourceModelMissing:
            return [Diagnostic("unknown-store-version", mismatch, advice: [.nameOlderModel])]
        case .opens, .migrates, .migratesUnseen, .unknown: return []
        }
    }

    /// What differs between the store and the versions at hand.
    private var mismatch: String {
        switch identity {
        case .foreign(let entities):
            return
                "the store is of another model: none of its entities is in this one: "
                + entities.joined(separator: ", ")
        case .nearest(let name, let differences, _):
            let entities = differences.map(\.entity).joined(separator: ", ")
            return
                "the store is of no version of the model; nearest is '\(name)', which differs in \(entities)"
        case .absent(let version): return version.remark
        case .versions, .unknown: return "the store is of no version of the model"
        }
    }
}

public import Diagnostics
import MigrationPlanning
import ModelChecking
public import ObjectModel
import SettingsFiles
import StoreFormat
public import StoreMigration

/// The public interface: stores and models by their own types, agreement by advice, one kind of progress.
extension Migrator {
    /// Finds migrations as an app does: through the stages of the nearest `.momtool.yml`, or by its mapping models and
    /// those near the model, or by inference.
    ///
    /// - Parameters:
    ///   - model: the model to migrate to.
    ///   - version: the name of the version to migrate to; the current one when left out. Stages that do not list it
    ///     are not used.
    ///   - older: other models with versions that stores may have, such as one bundle for each release.
    ///   - stages: the path of a stages file, or of Swift sources with a migration plan.
    ///   - handlers: Swift code for custom stages, by their labels; for a stage without one, such as each one of a plan
    ///     in Swift sources, by its versions: `"V1 → V2"`. A plan's own functions do not run: migrating through a stage
    ///     that has some is refused without handlers.
    ///   - policies: Swift code for the migration policies that mapping models name, by class name, with or without
    ///     module. It takes precedence over `.momtool.yml`. As in Core Data one step leads to the new version, and the
    ///     mapping models of the steps between do not run, unless `.momtool.yml` says `migration: stepwise`: then the
    ///     app's own code takes every step, each with its mapping model and policies.
    /// - Throws: ``MomtoolError`` if the version does not exist, part of it is not understood, the stages cannot be read
    ///   (`badData`) or do not fit the versions (`refused`), mapping models cannot be used, no stage has the label or
    ///   the versions that a handler names, or no mapping model calls a policy.
    public init(
        _ model: Model,
        to version: String? = nil,
        older: [Model] = [],
        stages: String? = nil,
        handlers: [String: StageHandlers] = [:],
        policies: [String: any EntityMigrationPolicy] = [:]
    ) throws(MomtoolError) {
        if stages == nil { try Self.requireNone(of: handlers, model.path) }
        let bundle = try model.understood()
        let earlier = try older.map { (old) throws(MomtoolError) in try old.understood() }
        let settings = try settings(for: model.path)
        let mappingModels = try MappingModels(around: model.path, settings)
            .registering(policies.keys)
        if let stages {
            let read = try Stages.read(
                stages,
                models: earlier + [bundle],
                mappingModels: mappingModels.named
            )
            try read.requireWhole()
            let unread = read.diagnostics.filter { $0.severity == .error }
            guard unread.isEmpty else { throw MomtoolError(.badData, saying: unread) }
            let faults = read.value.faults
            guard faults.isEmpty else { throw MomtoolError(.refused, saying: faults) }
            try self.init(stages: read.value.adding(handlers), to: version)
        } else {
            try self.init(
                by: settings,
                of: bundle,
                to: version,
                beside: earlier,
                mappingModels: mappingModels
            )
            try self.stages?.requireWhole()
        }
        try destination?.requireWhole()
        self = try calling(policies)
    }

    /// Works out the migration of stores of a version as Core Data creates them, to be shown, not run.
    ///
    /// Throws when something of the version is not understood, no route leads there, or a map cannot be used.
    public func migration(from source: ModelVersion) throws(MomtoolError) -> Migration {
        try source.requireWhole()
        var migration = try prediction(from: source)
        migration.remarks = taking(source).diagnostics(on: migration.route)
        return migration
    }

    /// Works out the migration of a store, which is not changed.
    ///
    /// A store of no version is migrated from the model that it carries, with a warning (`unknown-store-version`), as
    /// an app does not open it.
    ///
    /// ```swift
    /// let migration = try Migrator(Model("Shop.xcdatamodeld")).migration(of: Store("Shop.sqlite"))
    /// for step in migration.steps { print(step.title, step.statements) }
    /// ```
    ///
    /// It is complete before anything is written. Throws if no version wrote the store and it has no model, or no route
    /// continues from there.
    public func migration(
        of store: Store,
        following advice: [Advice] = []
    ) throws(MomtoolError) -> Migration {
        do throws(MomtoolError) {
            return try following(advice).noted(store.open(), advice)
        } catch {
            throw error.following(advice)
        }
    }

    private func noted(_ file: StoreFile, _ advice: [Advice]) throws(MomtoolError) -> Migration {
        var migration = try migration(of: file, mayGoBack: advice.contains(.allowBackward))
        migration.remarks = diagnostics(on: migration.route)
        return migration
    }

    /// The notes on a route: on its stages, and on what the app runs there and momtool does not.
    private func diagnostics(on route: MigrationRoute) -> [Diagnostic] {
        let stageFindings = (stages?.diagnostics ?? []) + (stages?.value.findings() ?? [])
        return unlistedVersion(on: route) + unrunStages(on: route) + uncalledPolicies(on: route)
            + unusedMappingModels(on: route) + stageFindings.filter { $0.severity != .error }
    }

    func following(_ advice: [Advice]) throws(MomtoolError) -> Migrator {
        try namingJoinTables(
            by: advice.compactMap { if case .nameJoinTable(let name) = $0 { name } else { nil } }
        )
    }

    /// Migrates a copy of a store into a new file; the store itself is only read.
    ///
    /// ```swift
    /// let migrator = try Migrator(Model("Shop.xcdatamodeld"))
    /// try migrator.migrate(Store("Shop.sqlite"), to: "New.sqlite", following: [.allowLoss("Book.notes")])
    /// ```
    ///
    /// A loss that neither the advice nor `.momtool.yml` names is refused before anything is written; the error's
    /// ``MomtoolError/advice`` then has the names. Swift code of stages and policies runs once, without a rehearsal.
    ///
    /// The new file must not exist, and there is none after an error. `timeout` is the time limit of each script or
    /// handler of a stage, without `.allowTime`. Returns what was lost as agreed, each with its `loss`, the warnings of
    /// the migration, and a note on custom stages whose functions did not run.
    @discardableResult
    public func migrate(
        _ store: Store,
        to output: String,
        following advice: [Advice] = [],
        timeout: Duration? = nil,
        progress: ProgressHandler? = nil
    ) throws(MomtoolError) -> [Diagnostic] {
        let target = MigrationTarget(store: store.path, output: output)
        return try migrate(target, advice, timeout, progress)
    }

    /// Migrates a store where it is, in one transaction.
    ///
    /// `backup` is the path of a copy of the store before the migration, which must not exist; a store that already has
    /// the new version is not copied, as nothing is done. An error leaves the store unchanged. The rest is as of
    /// ``migrate(_:to:following:timeout:progress:)``.
    @discardableResult
    public func migrateInPlace(
        _ store: Store,
        backup: String?,
        following advice: [Advice] = [],
        timeout: Duration? = nil,
        progress: ProgressHandler? = nil
    ) throws(MomtoolError) -> [Diagnostic] {
        let target = MigrationTarget(store: store.path, backup: backup)
        return try migrate(target, advice, timeout, progress)
    }

    private func migrate(
        _ target: MigrationTarget,
        _ advice: [Advice],
        _ timeout: Duration?,
        _ progress: ProgressHandler?
    ) throws(MomtoolError) -> [Diagnostic] {
        do throws(MomtoolError) {
            return try following(advice).run(target, advice, timeout, progress)
        } catch { throw error.following(advice) }
    }

    private func run(
        _ target: MigrationTarget,
        _ advice: [Advice],
        _ timeout: Duration?,
        _ progress: ProgressHandler?
    ) throws(MomtoolError) -> [Diagnostic] {
        let file = try asked { try StoreFile(path: target.store) }
        let migration = try noted(file, advice)
        try requireCode(on: migration.route)
        let named = try asked { try NamedLosses(in: bundles).agreement(for: migration) }
        let relay = ProgressRelay(progress).map { MigrationProgressRelay($0) }
        let options = MigrationOptions(
            acceptsLosses: named.union(advice.agreement),
            timeout: advice.contains(.allowTime) ? nil : timeout,
            cancellation: .current,
            progress: relay?.report
        )
        let losses = try run(migration, from: file, to: target, options: options)
        relay?.finish()
        let result = target.output ?? target.store
        // Stages files, mapping models and sources carry their own warnings.
        let warnings =
            migration.diagnostics.filter { $0.severity > .note || $0.rule == .customStageNotRun }
            + migration.keptOrders(inStoreAt: result).map(\.diagnostic)
        return losses.map { $0.lostDiagnostic.at(target.store) }
            + warnings.map { $0.location == nil ? $0.at(result) : $0 }
    }

    /// Runs a migration; if its rows are refused, reports the result of each single step.
    private func run(
        _ migration: Migration,
        from file: StoreFile,
        to target: MigrationTarget,
        options: MigrationOptions
    ) throws(MomtoolError) -> [RowFinding] {
        do throws(MomtoolError) {
            return try migration.run(from: file, to: target, options: options)
        } catch {
            guard !error.findings.isEmpty else { throw error }
            var error = error
            let uncalled = uncalledPolicies(on: migration.route)
            // Code does not run again only to see whether it helps.
            let advice =
                hasPolicies ? nil : stepwiseAdvice(for: file, migration, against: error.findings)
            error.remarks +=
                uncalled.map { Wording("note: \($0.message)") }
                + (advice.map { ["note: \($0)"] } ?? [])
            throw error
        }
    }
}

extension [Advice] {
    var agreement: LossAgreement {
        guard !contains(.allowAllLosses) else { return .all }
        return .named(Set(compactMap { if case .allowLoss(let name) = $0 { name } else { nil } }))
    }
}

extension Migration.Step {
    /// The SQL of the step, statement by statement; empty for the work of a stage.
    public var statements: [String] { program?.steps.map(\.sql) ?? [] }
}

extension Migrator {
    /// Asks the rows of a store what a migration would lose, or what forbids it; the store is not changed.
    ///
    /// Stages and mapping models run on a temporary copy, as each step reads the result of the previous one. Swift code
    /// of stages and policies runs there once; its context's `isRehearsal` is `true` then.
    ///
    /// ```swift
    /// for loss in try migrator.losses(of: Store("Shop.sqlite")) { print(loss.message, loss.advice) }
    /// ```
    ///
    /// Returns what is at stake: errors if Core Data would fail, warnings for losses. `timeout` is the time limit of
    /// each script or handler of a stage, without `.allowTime`. Throws when the store cannot be read, no route leads
    /// on, or it takes a custom stage of Swift sources without handlers.
    public func losses(
        of store: Store,
        following advice: [Advice] = [],
        timeout: Duration? = nil
    ) throws(MomtoolError) -> [Diagnostic] {
        do {
            let file = try store.open()
            let migrator = try following(advice)
            let migration =
                try migrator
                .migration(of: file, mayGoBack: advice.contains(.allowBackward))
            try migrator.requireCode(on: migration.route)
            let options = MigrationOptions(
                timeout: advice.contains(.allowTime) ? nil : timeout,
                cancellation: .current
            )
            return try migration.findings(in: file, options: options)
                .map { $0.diagnostic.at(store.path) }
        } catch {
            throw MomtoolError(error).naming(store.path).following(advice)
        }
    }
}

/// Swift code of a custom stage, before its step at the old version and after it at the new one.
///
/// ```swift
/// let split = StageHandlers(didMigrate: { store in
///     for person in try store.objects("Person") {
///         try store.update("Person", person.id, ["givenName": person.value("name")])
///     }
/// })
/// let migrator = try Migrator(model, stages: "Stages.yml", handlers: ["Split names": split])
/// ```
///
/// A stage without a label, such as each one of a `SchemaMigrationPlan`, is named by its versions: `"SchemaV1 →
/// SchemaV2"`. Handlers replace the functions that such a plan gives the stage, which only the app can run.
///
/// They run inside the migration's transaction: an error rolls everything back. A migration runs them once, and so does
/// `Migrator.losses(of:)`, on a temporary copy; `StoreContext.isRehearsal` tells them apart.
public struct StageHandlers: Sendable {
    /// Runs on the store at the old version.
    package var willMigrate: (@Sendable (StoreContext) throws -> Void)?
    /// Runs on the store at the new version.
    package var didMigrate: (@Sendable (StoreContext) throws -> Void)?

    /// Creates handlers.
    public init(
        willMigrate: (@Sendable (StoreContext) throws -> Void)? = nil,
        didMigrate: (@Sendable (StoreContext) throws -> Void)? = nil
    ) { (self.willMigrate, self.didMigrate) = (willMigrate, didMigrate) }
}

extension Stages {
    /// Returns the stages with Swift code in place of their scripts, by the labels of custom stages, or by versions:
    /// `V1 → V2`.
    package func adding(_ handlers: [String: StageHandlers]) throws(MomtoolError) -> Stages {
        var copy = self
        for label in handlers.keys.sorted() {
            let names = manager.stages.map { stage -> String? in
                guard case .custom(let custom) = stage else { return nil }
                return custom.label ?? stage.versions.map(\.name).joined(separator: " → ")
            }
            guard let index = names.firstIndex(of: label), let handler = handlers[label] else {
                let near = suggestion(for: label, among: names.compactMap(\.self))
                let message = "there is no custom stage '\(label)' for the handlers\(near)"
                throw MomtoolError(.usage, file.path, message, "unknown-stage")
            }
            var work = works[index] ?? CustomStageWork()
            if let code = handler.willMigrate { work.willMigrate = .handler(code) }
            if let code = handler.didMigrate { work.didMigrate = .handler(code) }
            copy.works[index] = work
        }
        return copy
    }
}

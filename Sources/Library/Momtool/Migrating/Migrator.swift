package import Diagnostics
import MappingInference
package import MigrationPlanning
import ModelHashing
package import ModelLoading
public import ObjectModel
import SettingsFiles
package import StoreFormat
import StoreMigration

/// Migrates stores to a version of their model: finds the version of each, and the migration from there.
///
/// However it is found, by inference, a detour, mapping models, a list of stages or a SwiftData plan, the result is a
/// `Migration` that is shown, checked and run in the same way. Work for one store is shared with all similar ones;
/// several threads may call it at once.
///
/// ```swift
/// let migrator = try Migrator(Model("Shop.xcdatamodeld"))
/// let store = try Store("Shop.sqlite")
/// for loss in try migrator.losses(of: store) { print(loss) }
/// try migrator.migrate(store, to: "New.sqlite", following: [.allowLoss("Book.notes")])
/// ```
///
/// Long work blocks; ``inBackground(_:)`` does it on a thread of its own, and stops it when the task is cancelled.
///
/// ## Topics
///
/// ### Creating
/// - ``init(_:to:older:stages:handlers:policies:)``
/// - ``destination``
///
/// ### Planning
/// - ``migration(from:)``
/// - ``migration(of:following:)``
public struct Migrator: Sendable {
    enum Road: Sendable {
        /// Among the versions of models: by mapping models, in one inferred step, or by a detour.
        case versions(StoreVersions, MappingModels, MigrationMemo)
        case stages(Stages, target: String?, StageSemantics)

        fileprivate func namingJoinTables(by names: [String]) -> Road {
            switch self {
            case .versions(let versions, let mappingModels, _):
                let named = versions.namingJoinTables(by: names)
                return .versions(named, mappingModels, MigrationMemo(to: named.destination))
            case .stages(let stages, let target, let semantics):
                return .stages(stages.namingJoinTables(by: names), target: target, semantics)
            }
        }
    }

    var road: Road
    /// How stores of newer versions come back, past the stages of the configuration; `nil` for every other route.
    var roadBack: Road?
    var stageNotices: [Diagnostic] = []
    /// Remarks that the stages are used, or why they are not.
    package var stageRemarks: [String] = []
    /// The stages, or the SwiftData plan, that end the app at its start; no store is migrated by them.
    var faultyList: FaultyList?
    var policies = MigrationPolicies()
    /// The versions in SwiftData plans, each of which leads to the next.
    package var plannedVersions: Set<String> = []
    /// The Swift sources with those plans; `nil` for every other model.
    var planned: ModelBundle?
    /// The plans of which every version is known.
    var knownPlans: [ModelBundle.KnownPlan] = []
    /// Finds code of the app that migrates stores, if no setting says how the app does; only if Core Data alone fails.
    var codeMigrator: @Sendable () -> CodeMigrator? = { nil }
    /// Finds code of the app that opens stores without a migration.
    var stoppedMigration: @Sendable () -> Diagnostic? = { nil }

    /// Uses the models, the last of which has the new version; mapping models are used before inference.
    package init(
        models: [ModelBundle],
        to version: String? = nil,
        mappingModels: MappingModels = MappingModels()
    ) throws(MomtoolError) {
        let versions = try StoreVersions(models, to: version)
        road = .versions(versions, mappingModels, MigrationMemo(to: versions.destination))
    }

    /// Takes a list of stages, by default to the version that an app opens, or the last listed one.
    package init(
        stages: Stages,
        to version: String? = nil,
        semantics: StageSemantics = .apple,
        namingJoinTables relationships: [String] = []
    ) throws(MomtoolError) {
        let target = try version.map { name throws(MomtoolError) in try stages.checksum(of: name) }
        road = .stages(
            stages.namingJoinTables(by: relationships),
            target: target ?? stages.lastChecksum,
            semantics
        )
        faultyList = FaultyList(stages.file.path, stages.faults)
    }

    /// The version to migrate to; `nil` for a list of stages that has no model of it.
    public var destination: ModelVersion? {
        switch road {
        case .versions(let versions, _, _): return versions.destination
        case .stages(let stages, let target, _):
            if let listed = target.flatMap({ stages.manager.version($0) }) { return listed }
            guard case .versions(let versions, _, _) = roadBack else { return nil }
            return versions.destination
        }
    }

    /// The migrator with the relationships, as `Person.friends`, that name the join tables of an entity with itself.
    package func namingJoinTables(by names: [String]) throws(MomtoolError) -> Migrator {
        guard !names.isEmpty else { return self }
        var copy = self
        switch road {
        case .versions(let versions, _, _):
            try requireSelfJoins(names, in: versions.all.map(\.model))
        case .stages(let stages, _, _):
            let versions = stages.manager.stages.flatMap(\.versions).compactMap(\.found)
            try requireSelfJoins(names, in: versions.map(\.model))
        }
        copy.road = road.namingJoinTables(by: names)
        copy.roadBack = roadBack?.namingJoinTables(by: names)
        return copy
    }

    package var isStepwise: Bool { mappingModels.isStepwise }

    /// The mapping models that steps may take; none through stages, which have their own.
    package var mappingModels: MappingModels {
        if case .versions(_, let mappingModels, _) = road { mappingModels } else { MappingModels() }
    }

    /// Whether an app takes a route: Core Data goes through other versions only if a plan lists them.
    package func isTaken(_ route: MigrationRoute) -> Bool {
        guard let detour = route.detour else { return true }
        return isPlanned(from: detour.refused.source, to: detour.refused.destination)
    }

    /// Why no app takes a route, in the words of a test; `nil` for a route that Core Data takes.
    package func refusal(of route: MigrationRoute) -> String? {
        if let chain = unaskedChain(route) { return chain.refusal }
        if let fault = route.source.flatMap(planFault) {
            let what = fault.isGuess ? "may fail" : "fail"
            return "the stages of \(fault.path) \(what): \(fault.reason.text(in: .code))"
        }
        guard let detour = route.detour, !isTaken(route) else { return nil }
        return
            "Core Data takes a single step: \(detour.reason), which needs momtool or the app's own code "
            + "(migration: stepwise in .momtool.yml)"
    }

    /// Whether a step of a route has a mapping model that performs it, or would with known policies.
    func isAnswered(_ step: RouteStep, on route: MigrationRoute) -> Bool {
        route.isMapped(step) || mappingModels.unused(on: step) != nil
    }

    func isPlanned(from source: ModelVersion, to destination: ModelVersion) -> Bool {
        plannedVersions.isSuperset(of: [source.name, destination.name])
    }

    /// Remarks on the mapping models that a route uses without being named, and on unused ones.
    ///
    /// `isOfApp` says whether they are about what the app does, where stages that fail are an error.
    package func remarks(on route: MigrationRoute, isOfApp: Bool = false) -> [String] {
        guard case .versions(let versions, let mappingModels, _) = road else {
            return stageRemarks(on: route)
        }
        let part = route.source.flatMap { versions.configuration(of: $0) }
        var reason = part.map { ["note: the store is of configuration '\($0)'"] } ?? []
        reason += route.detour.map { ["note: \($0.reason)"] } ?? []
        if !isTaken(route) { reason += codeQuestion.map { [$0.description] } ?? [] }
        if let fault = route.source.flatMap(planFault) {
            let severity: Severity = !isOfApp ? .note : fault.isGuess ? .warning : .error
            let what = fault.isGuess ? "may fail" : "fails"
            reason.append(
                "\(fault.path): \(severity.rawValue): the app \(what) with these stages: \(fault.reason.text(in: .code))"
            )
        }
        let several = route.steps.compactMap(mappingModels.ambiguity).map(\.description)
        let known = unlistedVersion(on: route) + unrunStages(on: route)
        return stageRemarks + known.map(\.description) + reason
            + route.steps.compactMap(mappingModels.remark)
            + mappingModels.skipping(on: route).map(\.description) + several
    }

    /// Notes at mapping models not used on a route: those that cannot be used here, and those that skip versions if the
    /// app's code migrates version by version.
    package func unusedMappingModels(on route: MigrationRoute) -> [Diagnostic] {
        route.steps.compactMap(mappingModels.unused) + mappingModels.skipping(on: route)
    }

    /// Finds the route of stores of a version.
    ///
    /// A mapping model for the step comes first, then inference; then a route through other versions, by mapping models
    /// and inferred steps, or by the inferred steps that lose least. The error has the missing steps.
    package func route(from source: ModelVersion) throws(MomtoolError) -> MigrationRoute {
        try requireSoundList { $0.isNewer(source) }
        switch road {
        case .versions(let versions, let mappingModels, _):
            let destination = versions.destination
            if let route = try mappingModels.route(from: source, to: destination, in: versions) {
                return calling(route)
            }
            let direct = MigrationRoute(from: source, to: destination)
            guard !direct.steps.isEmpty, !inferMapping(from: source, to: destination).isInferable
            else { return direct }
            return try detour(from: source, among: versions)
        case .stages(let stages, let target, let semantics):
            return try asked {
                try MigrationRoute(
                    by: stages.manager,
                    works: stages.works,
                    policies: policies,
                    from: source.checksum,
                    to: target,
                    semantics: semantics
                )
            }
        }
    }

    private func calling(_ route: MigrationRoute) -> MigrationRoute {
        var route = route
        route.policies = policies
        return route
    }

    /// The models whose configuration and locks count, the last of which has the new version.
    var bundles: [ModelBundle] {
        switch road {
        case .versions(let versions, _, _): [versions.last]
        case .stages(let stages, _, _): stages.models
        }
    }

    private func detour(
        from source: ModelVersion,
        among versions: StoreVersions
    ) throws(MomtoolError) -> MigrationRoute {
        do throws(MomtoolError) {
            return try asked { try MigrationRoute(around: versions.detour(from: source)) }
        } catch {
            var error = error
            error.remarks += unrunStages(from: source, to: versions.destination).map(\.printed)
            error.remarks += codeQuestion.map { [$0.printed] } ?? []
            throw error
        }
    }

    package func prediction(from source: ModelVersion) throws(MomtoolError) -> Migration {
        try asked { try Migration(predictedAlong: taking(source).route(from: source)) }
    }

    /// Builds the migration of a store; throws if no version wrote it, no route leads on, or its tables do not fit.
    package func migration(
        of store: StoreFile,
        mayGoBack: Bool = false
    ) throws(MomtoolError) -> Migration {
        let migrator = taking(store)
        try migrator.requireSoundList { $0.isNewer(store) }
        return try migrator.migration(along: store, mayGoBack)
    }

    private func migration(
        along store: StoreFile,
        _ mayGoBack: Bool
    ) throws(MomtoolError) -> Migration {
        try asked(of: store.path) {
            switch road {
            case .stages(let stages, let target, let semantics):
                return try Migration(
                    of: store,
                    by: stages.manager,
                    works: stages.works,
                    policies: policies,
                    to: target,
                    semantics: semantics
                )
            case .versions(let versions, let mappingModels, let memo):
                let source = try versions.source(of: store, mayGoBack: mayGoBack)
                let start = source.version
                let end = versions.destination
                if let route = try mappingModels.route(from: start, to: end, in: versions) {
                    return try Migration(of: store, along: calling(route))
                }
                do throws(StoreMigrationError) {
                    guard !source.isListed else {
                        return try memo.migration(of: store, from: start)
                    }
                    let migration = try Migration(of: store, from: start, to: end)
                    try requireCommonEntity(migration, of: store)
                    return migration.guardingTables(of: store, besides: versions.entityNames)
                } catch .notInferable {
                    return try Migration(of: store, along: detour(from: start, among: versions))
                }
            }
        }
    }

    /// Refuses a store whose model is unknown and shares no entity with the bundle: it is another app's.
    private func requireCommonEntity(
        _ migration: Migration,
        of store: StoreFile
    ) throws(StoreMigrationError) {
        let mapping = migration.steps.first?.mapping
        let kinds = Set((mapping?.entityMappings ?? []).map(\.kind))
        guard kinds.contains(.remove), kinds.isDisjoint(with: [.copy, .transform]) else { return }
        throw .otherApp(path: store.path, destination: migration.destination?.name ?? "")
    }
}

extension Migration {
    /// Runs the migration, which leaves the store as it is when it fails; returns the agreed losses.
    @discardableResult
    package func run(
        from store: StoreFile,
        to target: MigrationTarget,
        options: MigrationOptions = MigrationOptions()
    ) throws(MomtoolError) -> [RowFinding] {
        try asked(of: target.store) {
            guard let output = target.output else {
                return try runInPlace(path: target.store, backup: target.backup, options: options)
            }
            return try run(from: store, toNewFile: output, options: options)
        }
    }
}

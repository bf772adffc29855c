package import Diagnostics
import Essentials
import MappingInference
package import MigrationPlanning
import ModelHashing
package import ModelLoading
public import ObjectModel
import SettingsFiles
package import StoreFormat
import StoreMigration

/// Brings stores to a version of their model: finds the version of each, and the migration that leads on from there.
///
/// This is the one door: whatever leads there, inference, a detour, mapping models, a list of stages, a SwiftData plan,
/// the result is a `Migration` that is shown, asked and run alike. What is worked out for one store is used
/// for all that are alike; several threads may ask at once.
///
/// ```swift
/// let migrator = try Migrator(Model("Shop.xcdatamodeld"))
/// let store = try Store("Shop.sqlite")
/// for loss in try migrator.losses(of: store) { print(loss) }
/// try migrator.migrate(store, to: "New.sqlite", following: [.allowLoss("Book.notes")])
/// ```
///
/// Long work has two forms of one name: in an `async` function it runs on a thread of its own and stops when the task is
/// cancelled; elsewhere it blocks.
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
    /// How routes are found.
    enum Road: Sendable {
        /// Among the versions of models: by mapping models, in one inferred step, or by a detour.
        case versions(StoreVersions, MappingModels, MigrationMemo)
        /// Through a list of stages, to the version of a checksum.
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
    /// How stores of newer versions come back, past the stages that the configuration names; `nil` for every other road.
    var roadBack: Road?
    /// What is wrong with the stages that the configuration names.
    var stageNotices: [Diagnostic] = []
    /// What is said of them: that they are taken, or why they are not.
    package var stageRemarks: [String] = []
    /// The stages, or the plan of SwiftData, that end the app at its start; no store is taken along them.
    var faultyList: FaultyList?
    /// The code that mapping models call by name.
    var policies = MigrationPolicies()
    /// The versions that plans of SwiftData list, which lead from each to the next.
    package var plannedVersions: Set<String> = []
    /// The Swift sources whose plans list them; `nil` for every other model.
    var planned: ModelBundle?

    /// Takes the models, of which the last one counts.
    ///
    /// - Parameters:
    ///   - models: the models.
    ///   - version: the name of the new version; the current one when left out.
    ///   - mappingModels: the mapping models, each of which is used for its step, before inference.
    /// - Throws: ``MomtoolError`` when there is no such version.
    package init(
        models: [ModelBundle],
        to version: String? = nil,
        mappingModels: MappingModels = MappingModels()
    ) throws(MomtoolError) {
        let versions = try StoreVersions(models, to: version)
        road = .versions(versions, mappingModels, MigrationMemo(to: versions.destination))
    }

    /// Takes a list of stages.
    ///
    /// - Parameters:
    ///   - stages: the stages, with everything that they name.
    ///   - version: the name of the new version; that which an app opens, else the last one listed, when left out.
    ///   - semantics: how the list is walked.
    ///   - relationships: those that name the join tables of an entity related to itself, as `Entity.relationship`.
    /// - Throws: ``MomtoolError`` when no stage lists the version.
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

    /// The version that stores get; `nil` for a list of stages that has no model of it.
    public var destination: ModelVersion? {
        switch road {
        case .versions(let versions, _, _): versions.destination
        case .stages(let stages, let target, _): target.flatMap { stages.manager.version($0) }
        }
    }

    /// The migrator with the choice of which relationships of an entity with itself name their tables.
    ///
    /// - Parameter names: the relationships, such as `Person.friends`.
    /// - Returns: the migrator.
    /// - Throws: ``MomtoolError`` for a name that no version has.
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

    /// Whether the app's own code takes stores through every version.
    package var isStepwise: Bool {
        guard case .versions(_, let mappingModels, _) = road else { return false }
        return mappingModels.isStepwise
    }

    /// Whether an app takes a route: Core Data goes through other versions only where a plan lists them.
    package func isTaken(_ route: MigrationRoute) -> Bool {
        guard let detour = route.detour else { return true }
        return isPlanned(from: detour.refused.source, to: detour.refused.destination)
    }

    /// Says why no app takes a route, as a test tells it; `nil` for a route that Core Data takes.
    package func refusal(of route: MigrationRoute) -> String? {
        if isUnasked(chain: route) {
            return
                "Core Data takes one step, and no mapping model leads there: \(route.versionNames) are \(route.steps.count) "
                + "steps, which only an app's own code takes (migration: stepwise in .momtool.yml)"
        }
        guard let detour = route.detour, !isTaken(route) else { return nil }
        return
            "Core Data takes one step: \(detour.reason), which only momtool does, or an app's own code "
            + "(migration: stepwise in .momtool.yml)"
    }

    /// Whether a route leads through other versions by mapping models, and nobody said that the app's code takes it.
    package func isUnasked(chain route: MigrationRoute) -> Bool {
        guard case .versions(_, let mappingModels, _) = road else { return false }
        return !mappingModels.isStepwise && !route.mappingModels.isEmpty && route.steps.count > 1
    }

    /// Whether a mapping model answers for a step of a route: it carries it out, or would where its policies are known.
    func isAnswered(_ step: StagedStep, on route: MigrationRoute) -> Bool {
        if route.isMapped(step) { return true }
        guard case .versions(_, let mappingModels, _) = road else { return false }
        return mappingModels.unused(on: step) != nil
    }

    /// The path of the mapping model that is for a step; `nil` when there is none, or when stages lead on.
    package func mappingModel(
        from source: ModelVersion,
        to destination: ModelVersion
    ) -> String? {
        guard case .versions(_, let mappingModels, _) = road else { return nil }
        return mappingModels.path(from: source, to: destination)
    }

    /// Says of each step of a route for which there are several mapping models which one is taken.
    ///
    /// - Parameter route: a route that this value found.
    /// - Returns: warnings at the mapping model that is taken.
    package func ambiguousMappingModels(on route: MigrationRoute) -> [Diagnostic] {
        guard case .versions(_, let mappingModels, _) = road else { return [] }
        return route.steps.compactMap(mappingModels.ambiguity)
    }

    /// Whether a plan of SwiftData leads from one version to another.
    func isPlanned(from source: ModelVersion, to destination: ModelVersion) -> Bool {
        plannedVersions.isSuperset(of: [source.name, destination.name])
    }

    /// Says of the steps of a route which mapping models they follow without being told to, and which are not used.
    ///
    /// - Parameter route: a route that this value found.
    /// - Returns: lines for people; empty where there is nothing to say.
    package func remarks(on route: MigrationRoute) -> [String] {
        guard case .versions(_, let mappingModels, _) = road else { return stageRemarks(on: route) }
        let reason = route.detour.map { ["note: \($0.reason)"] } ?? []
        let several = route.steps.compactMap(mappingModels.ambiguity).map(\.description)
        let known = unlistedVersion(on: route) + unrunStages(on: route)
        return stageRemarks + known.map(\.description) + reason
            + route.steps.compactMap(mappingModels.remark)
            + mappingModels.skipping(on: route).map(\.description) + several
    }

    /// Says which mapping models are not used on a route: those that are for a step and cannot be carried out here, and
    /// those that skip versions where the app's code takes every one.
    ///
    /// - Parameter route: a route that this value found.
    /// - Returns: notes and warnings at the mapping models.
    package func unusedMappingModels(on route: MigrationRoute) -> [Diagnostic] {
        guard case .versions(_, let mappingModels, _) = road else { return [] }
        return route.steps.compactMap(mappingModels.unused) + mappingModels.skipping(on: route)
    }

    /// Finds the route of stores of a version.
    ///
    /// A mapping model that is for the step comes first, then the step that Core Data infers. Where it refuses that, the
    /// route goes through other versions: by mapping models and inferred steps, else by those inferred steps that lose
    /// the least.
    ///
    /// - Parameter source: the version.
    /// - Returns: the route.
    /// - Throws: ``MomtoolError`` when none leads there; it says which steps are missing and what would make them legal.
    package func route(from source: ModelVersion) throws(MomtoolError) -> MigrationRoute {
        try requireSoundList { $0.isNewer(source) }
        switch road {
        case .versions(let versions, let mappingModels, _):
            let destination = versions.destination
            if let route = try mappingModels.route(from: source, to: destination, in: versions) {
                return calling(route)
            }
            let direct = MigrationRoute(from: source, to: destination)
            guard !direct.steps.isEmpty,
                !inferMapping(from: source, to: destination).isInferable
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

    /// The route with the code that its mapping models call.
    private func calling(_ route: MigrationRoute) -> MigrationRoute {
        var route = route
        route.policies = policies
        return route
    }

    /// The models whose configuration and locks count, of which the last one has the new version.
    var bundles: [ModelBundle] {
        switch road {
        case .versions(let versions, _, _): [versions.last]
        case .stages(let stages, _, _): stages.models
        }
    }

    /// The route through other versions, where Core Data refuses the direct step.
    private func detour(
        from source: ModelVersion,
        among versions: StoreVersions
    ) throws(MomtoolError) -> MigrationRoute {
        do throws(MomtoolError) {
            return try asked { try MigrationRoute(around: versions.detour(from: source)) }
        } catch {
            var error = error
            error.remarks += unrunStages(from: source, to: versions.destination).map(\.printed)
            throw error
        }
    }

    /// Works out the migration of stores of a version, without one, as far as the version is understood.
    package func prediction(from source: ModelVersion) throws(MomtoolError) -> Migration {
        try asked { try Migration(predictedAlong: taking(source).route(from: source)) }
    }

    /// Works out the migration of a store.
    ///
    /// - Parameters:
    ///   - store: the store, open for reading.
    ///   - mayGoBack: whether the store may be of a newer version.
    /// - Returns: the migration.
    /// - Throws: ``MomtoolError`` when the store is of no version, when no route leads there, or when the store is not
    ///   laid out as its model says.
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
                    return migration
                } catch .notInferable {
                    return try Migration(of: store, along: detour(from: start, among: versions))
                }
            }
        }
    }

    /// Refuses a store whose model the bundle does not have and shares no entity with: it is that of another app.
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

/// Does something whose errors are told to people.
///
/// - Parameters:
///   - store: the path of the store that it is about; `nil` when it is about none.
///   - body: what is done.
/// - Returns: what the body returns.
/// - Throws: ``MomtoolError`` for whatever the body throws.
private func asked<Result>(
    of store: String? = nil,
    _ body: () throws -> Result
) throws(MomtoolError) -> Result {
    do {
        return try body()
    } catch {
        let error = MomtoolError(error)
        throw store.map(error.naming) ?? error
    }
}

extension Migration {
    /// Runs the migration, and leaves the store as it is when that fails.
    ///
    /// - Parameters:
    ///   - store: the store, open for reading.
    ///   - target: where the result and the backup go.
    ///   - options: what the run is told.
    /// - Returns: what was lost, as agreed.
    /// - Throws: `MomtoolError`; what is lost without agreement is refused with its number.
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

import MappingInference
public import MigrationPlanning
public import ModelLoading
public import ObjectModel
public import StoreFormat
public import StoreMigration

/// Brings stores to a version of their model: finds the version of each, and the way that leads there.
///
/// What is worked out for one store is used for all that are alike; several threads may ask at once.
///
/// ```swift
/// let models = [try ModelPlace("Shop.xcdatamodeld").read().value]
/// let way = try Migrator(models: models).way(of: StoreFile(path: "Shop.sqlite"))
/// ```
public struct Migrator: Sendable {
    /// The version that stores get, and those that they may have.
    public let versions: StoreVersions
    private let plans: MigrationPlans
    private let mappingModels: MappingModels

    /// Takes the models, of which the last one counts.
    ///
    /// - Parameters:
    ///   - models: the models.
    ///   - version: the name of the new version; the current one when left out.
    ///   - mappingModels: the mapping models, each of which is used for its step, before inference.
    /// - Throws: ``MomtoolError`` when there is no such version.
    public init(
        models: [ModelBundle],
        to version: String? = nil,
        mappingModels: MappingModels = MappingModels()
    ) throws(MomtoolError) {
        self.mappingModels = mappingModels
        versions = try StoreVersions(models, to: version)
        plans = MigrationPlans(to: versions.destination)
    }

    /// The version that stores get.
    public var destination: ModelVersion { versions.destination }

    /// Works out the way of a store: the direct step, or where Core Data refuses that, steps through other versions.
    ///
    /// - Parameters:
    ///   - store: the store, open for reading.
    ///   - mayGoBack: whether the store may be of a newer version.
    /// - Returns: the way.
    /// - Throws: ``MomtoolError`` when no way leads there; it says which steps are missing and what would make them
    ///   legal.
    public func way(
        of store: StoreFile,
        mayGoBack: Bool = false
    ) throws(MomtoolError) -> MigrationWay {
        let source = try versions.source(of: store, mayGoBack: mayGoBack)
        if let way = try mappedWay(of: store, from: source.version) { return way }
        let migration: StoreMigration
        do throws(StoreMigrationError) {
            migration =
                source.isListed
                ? try plans.migration(of: store, from: source.version)
                : try StoreMigration(of: store, from: source.version, to: destination)
        } catch .notInferable {
            let detour = try versions.detour(from: source.version)
            do throws(StoreMigrationError) {
                let stages = StagedMigrationManager([detour.stage])
                return .detour(
                    detour,
                    try StagedStoreMigration(of: store, by: stages, semantics: .stepwise)
                )
            } catch {
                throw MomtoolError(error).naming(store.path)
            }
        } catch {
            throw MomtoolError(error).naming(store.path)
        }
        if !source.isListed { try requireCommonEntity(migration.mapping, of: store) }
        return .direct(migration)
    }

    /// Refuses a store whose model the bundle does not have and shares no entity with: it is that of another app.
    private func requireCommonEntity(
        _ mapping: InferredMapping,
        of store: StoreFile
    ) throws(MomtoolError) {
        let kinds = Set(mapping.entityMappings.map(\.kind))
        guard kinds.contains(.remove), kinds.isDisjoint(with: [.copy, .transform]) else { return }
        let message =
            "the store seems to be that of another app: none of its entities is in '\(destination.name)'; "
            + "if they were all replaced, name the model that wrote it first by its own --model"
        throw MomtoolError(.refused, store.path, message, "unknown-store-version")
    }

    /// The way by mapping models: one that is for the whole step, else a chain where the step is refused.
    private func mappedWay(
        of store: StoreFile,
        from source: ModelVersion
    ) throws(MomtoolError) -> MigrationWay? {
        guard let stages = try mappingModels.stages(from: source, to: destination, in: versions)
        else { return nil }
        do throws(StoreMigrationError) {
            return .staged(
                try StagedStoreMigration(
                    of: store,
                    by: stages.manager,
                    works: stages.works,
                    semantics: .stepwise
                )
            )
        } catch {
            throw MomtoolError(error)
        }
    }
}

/// The way of a store to its new version, worked out and not yet taken.
public enum MigrationWay: Sendable {
    /// One step, which Core Data would infer.
    case direct(StoreMigration)
    /// Several such steps, because the direct one is refused.
    case detour(VersionGraph.Detour, StagedStoreMigration)
    /// The steps of a list of stages.
    case staged(StagedStoreMigration)

    /// Takes the way, and leaves the store as it is when that fails.
    ///
    /// - Parameters:
    ///   - store: the store, open for reading.
    ///   - target: where the result and the backup go.
    ///   - options: what the run is told.
    /// - Returns: what was lost, as agreed.
    /// - Throws: ``MomtoolError``; what is lost without agreement is refused with its number.
    @discardableResult
    public func run(
        from store: StoreFile,
        to target: MigrationTarget,
        options: StagedRunOptions = StagedRunOptions()
    ) throws(MomtoolError) -> [RowFinding] {
        do throws(StoreMigrationError) {
            switch self {
            case .direct(let migration):
                guard let output = target.output else {
                    let (path, backup) = (target.store, target.backup)
                    return try migration.runInPlace(
                        path: path,
                        backup: backup,
                        options: options.run
                    )
                }
                return try migration.run(from: store, toNewFile: output, options: options.run)
            case .detour(_, let migration), .staged(let migration):
                guard let output = target.output else {
                    let (path, backup) = (target.store, target.backup)
                    return try migration.runInPlace(path: path, backup: backup, options: options)
                }
                return try migration.run(from: store, toNewFile: output, options: options)
            }
        } catch {
            throw MomtoolError(error).naming(target.store)
        }
    }

    /// Finds what the rows of a store say to the way: what stands against it, and what would be lost.
    ///
    /// Several steps are taken on a copy, which is thrown away.
    ///
    /// - Parameters:
    ///   - store: the store, open for reading.
    ///   - options: what is told while several steps are taken.
    ///   - progress: is called now and then, for one step, with the questions to the rows that are answered, and all
    ///     that there are.
    /// - Returns: what was found; empty when all is well.
    /// - Throws: ``MomtoolError`` when the store cannot be read.
    public func findings(
        in store: StoreFile,
        options: StagedRunOptions = StagedRunOptions(),
        progress: ((_ done: Int, _ total: Int) -> Void)? = nil
    ) throws(MomtoolError) -> [RowFinding] {
        do throws(StoreMigrationError) {
            switch self {
            case .direct(let migration):
                return try migration.findings(in: store, progress: progress)
            case .detour(_, let migration), .staged(let migration):
                return try migration.findings(in: store, options: options)
            }
        } catch {
            throw MomtoolError(error).naming(store.path)
        }
    }
}

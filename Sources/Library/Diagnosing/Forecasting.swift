import MappingInference
import MigrationPlanning
import ModelDiffing
import ModelHashing
import ObjectModel
import StoreFormat
import StoreMigration

/// Foretells what Core Data does when a model opens a store of another version.
///
/// - Parameters:
///   - source: the version that wrote the store; `nil` when it is in no bundle of the app.
///   - context: the app's current version, and how stores come there.
///   - store: the store, whose rows decide where the models do not.
///   - progress: is told how many questions to the rows are answered, and how many there are.
/// - Returns: what happens, with automatic migration as containers have it.
func forecast(
    from source: ModelVersion,
    _ context: ModelContext,
    store: StoreFile? = nil,
    _ progress: ((_ done: Int, _ total: Int) -> Void)? = nil
) -> OpeningForecast {
    let current = context.current
    if source.hashes == current.hashes { return .opens }
    let migration = try? context.migration?(source, store)
    // Core Data looks for a mapping model before it infers one.
    if let migration, let path = migration.onlyMappingModel {
        let rows = store.flatMap { try? migration.findings(in: $0, progress: progress) }
        return .migratesBy(mappingModel: path, rows: rows ?? [])
    }
    let mapping = inferMapping(from: source, to: current)
    guard mapping.isInferable else { return .refused(mapping) }
    // A store that is not laid out as its model says is told of by its findings.
    let direct = migration.flatMap { $0.route.isDirect ? $0 : nil }
    guard let store,
        let migration = try? direct ?? Migration(of: store, from: source, to: current),
        let rows = try? migration.findings(in: store, progress: progress)
    else { return .migrates(mapping, rows: []) }
    return rows.contains { $0.risk.isFatal }
        ? .failsOnRows(mapping, rows: rows) : .migrates(mapping, rows: rows)
}

/// Finds how a store comes to the current version where Core Data refuses the step.
///
/// - Parameters:
///   - source: the version that wrote the store.
///   - context: the app's current version, and how stores come there.
///   - store: the store; `nil` where there is none.
/// - Returns: the advice; `nil` where the step is not refused, or that cannot be told.
func roundabout(
    from source: ModelVersion,
    _ context: ModelContext,
    store: StoreFile? = nil
) -> Diagnosis.Roundabout? {
    guard let find = context.migration, source.hashes != context.current.hashes,
        !inferMapping(from: source, to: context.current).isInferable
    else { return nil }
    guard let migration = try? find(source, store) else { return .nowhere }
    guard migration.onlyMappingModel == nil else { return nil }
    let names = [source.name] + migration.route.steps.map(\.destination.name)
    return .through(names.joined(separator: " → "))
}

/// Finds the mapping models that are for the step to the current version and cannot be carried out here.
///
/// - Parameters:
///   - source: the version that wrote the store.
///   - context: the app's current version, and how stores come there.
/// - Returns: a line each.
func notes(from source: ModelVersion, _ context: ModelContext) -> [String] {
    guard source.hashes != context.current.hashes,
        let migration = try? context.migration?(source, nil)
    else { return [] }
    return context.notes(migration.route)
}

extension Migration {
    /// The mapping model that leads to the new version in one step; `nil` for every other route.
    fileprivate var onlyMappingModel: String? {
        steps.count == 1 ? steps[0].mappingModel : nil
    }
}

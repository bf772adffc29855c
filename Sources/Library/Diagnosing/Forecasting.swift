import MappingInference
import ModelDiffing
import ModelHashing
import ObjectModel
import StoreFormat
import StoreMigration

/// Foretells what Core Data does when a model opens a store of another version.
///
/// - Parameters:
///   - source: the version that wrote the store; `nil` when it is in no bundle of the app.
///   - current: the app's current version.
///   - store: the store, whose rows decide where the models do not.
///   - progress: is told how many questions to the rows are answered, and how many there are.
/// - Returns: what happens, with automatic migration as containers have it.
func forecast(
    from source: ModelVersion,
    to current: ModelVersion,
    store: StoreFile? = nil,
    _ progress: ((_ done: Int, _ total: Int) -> Void)? = nil
) -> OpeningForecast {
    if source.hashes == current.hashes { return .opens }
    let mapping = inferMapping(from: source, to: current)
    guard mapping.isInferable else { return .refused(mapping) }
    // A store that is not laid out as its model says is told of by its findings.
    guard let store, let migration = try? Migration(of: store, from: source, to: current),
        let rows = try? migration.findings(in: store, progress: progress)
    else { return .migrates(mapping, rows: []) }
    return rows.contains { $0.risk.isFatal }
        ? .failsOnRows(mapping, rows: rows) : .migrates(mapping, rows: rows)
}

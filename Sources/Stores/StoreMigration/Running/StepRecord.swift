import Diagnostics
import Essentials
import ModelCompiling
import ModelHashing
import ObjectModel
import PropertyLists
import SQLiteAccess
import StoreFormat

/// What one run of a step finds out that holds for other stores as well.
///
/// The model is compiled and packed once. Metadata and schemas of stores that one application made are mostly
/// identical, apart from the UUID, which is kept beside the list; only results for identical bytes are reused.
final class StepRecord: Sendable {
    private struct State {
        var modelCache: ModelCache?
        /// The property lists that were written, by the earlier ones that they replace.
        var lists = RecentValues<Data?, Data>(limit: 16)
        /// The schemas that had all that the layout needs.
        var wholeSchemas = RecentValues<RowBytes, Void>(limit: 16)
    }

    private let destination: ModelVersion
    private let state = Locked(State())

    init(of destination: ModelVersion) { self.destination = destination }

    /// The model as stores keep it; concurrent callers wait while it is packed.
    var modelCache: ModelCache {
        state.withLock { state in
            if let known = state.modelCache { return known }
            let new = ModelCache(of: destination.model)
            state.modelCache = new
            return new
        }
    }

    /// Returns the metadata of a store at the new version, with its foreign entries unchanged; errors name `path`.
    func metadata(after row: MetadataRow, path: String) throws(StoreError) -> MetadataRow {
        if let known = state.withLock({ $0.lists[row.list] }) {
            return MetadataRow(uuid: row.uuid, list: known)
        }
        var metadata = try StoreMetadata(row, path: path)
        metadata.setModel(
            hashes: destination.hashes,
            versionIdentifiers: destination.model.versionIdentifiers
        )
        let list = metadata.encoded
        state.withLock { $0.lists[row.list] = list }
        return MetadataRow(uuid: row.uuid, list: list)
    }

    func isWhole(_ schema: RowBytes) -> Bool { state.withLock { $0.wholeSchemas[schema] != nil } }

    func noteWhole(_ schema: RowBytes) { state.withLock { $0.wholeSchemas[schema] = () } }
}

extension MigrationExecution {
    func writeVersion(of step: StepProgram) throws(StoreError) {
        let row = try MetadataRow(connection)
        let new = try step.record.metadata(after: row, path: connection.path)
        try writeMetadata(new, on: connection)
        try replaceModelCache(by: step.record.modelCache, on: connection)
    }

    func requireWholeLayout(of step: StepProgram) throws(StoreMigrationError) {
        let text = try storeErrors(StoreSchema.bytes(of: connection))
        guard !step.record.isWhole(text) else { return }
        let schema = try storeErrors(StoreSchema(connection))
        let layout = step.program.layout
        let present = Set(schema.indexes.map(\.name))
        let missing =
            layout.missing(from: schema.columnSets)
            + layout.indexes.map(\.name).filter { !present.contains($0) }
        guard missing.isEmpty else {
            throw .checkFailed(
                path: connection.path,
                subject: "the layout",
                expected: "whole",
                found: "lacking \(missing.joined(separator: ", "))"
            )
        }
        step.record.noteWhole(text)
    }
}

extension ModelCache {
    init(of model: ManagedObjectModel) { self.init(compileModel(model).value.binaryData) }
}

/// Replaces the model that a store keeps, where it keeps one.
func replaceModelCache(
    by cache: @autoclosure () -> ModelCache,
    on connection: SQLiteConnection
) throws(StoreError) {
    let table = "SELECT 1 FROM sqlite_master WHERE name = 'Z_MODELCACHE'"
    guard try connection.value(table) != nil else { return }
    try writeModelCache(cache(), on: connection)
}

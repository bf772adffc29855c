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
final class DestinationRecord: Sendable {
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

/// The tables, indexes, triggers and views of a store that no step names, as they were before a run.
///
/// The run checks here that what it does not touch stays identical to the byte.
struct UntouchedObjects {
    private struct Key: Hashable {
        var kind: SchemaObject.Kind
        var name: String
    }

    private let texts: [Key: String]

    init(of connection: SQLiteConnection, without changes: [SchemaChange]) throws(StoreError) {
        var touched = TouchedNames()
        for change in changes { touched.add(change) }
        var texts: [Key: String] = [:]
        for object in try StoreFile(on: connection).schema() where !touched.contains(object) {
            texts[Key(kind: object.kind, name: object.name)] = object.sql
        }
        self.texts = texts
    }

    func check(on connection: SQLiteConnection) throws(StoreMigrationError) {
        let objects = try storeErrors(StoreFile(on: connection).schema())
        var left = texts
        for object in objects {
            let key = Key(kind: object.kind, name: object.name)
            if left[key] == object.sql { left[key] = nil }
        }
        guard let lost = left.min(by: { $0.key.name < $1.key.name }) else { return }
        throw .checkFailed(
            path: connection.path,
            subject: "the \(lost.key.kind.rawValue) \(lost.key.name), which no step changes,",
            expected: "unchanged",
            found: "changed"
        )
    }
}

/// The names in changes of a schema, in lower case.
private struct TouchedNames {
    private var objects: Set<String> = []
    /// The tables whose indexes and triggers go or change with them.
    private var tables: Set<String> = []

    func contains(_ object: SchemaObject) -> Bool {
        let (name, table) = (object.name.lowercased(), object.table.lowercased())
        if objects.contains(name) || tables.contains(table) { return true }
        // SQLite keeps a virtual table in tables of its own.
        return objects.contains { name.hasPrefix($0 + "_") && $0.hasPrefix("z_rt_") }
    }

    mutating func add(_ change: SchemaChange) {
        switch change {
        case .createTable(let table): objects.insert(table.name.lowercased())
        case .createJoinTable(let table): objects.insert(table.name.lowercased())
        case .dropTable(let name): tables.insert(name.lowercased())
        case .renameTable(let old, let new): tables.formUnion([old.lowercased(), new.lowercased()])
        case .addColumn(_, let table): objects.insert(table.lowercased())
        case .renameColumn(_, _, let table), .dropColumn(_, let table):
            tables.insert(table.lowercased())
        case .addTombstone: objects.insert("achange")
        case .createIndex(let index): objects.insert(index.name.lowercased())
        case .createTrigger(let trigger): objects.insert(trigger.name.lowercased())
        case .dropIndex(let name, _), .dropTrigger(let name, _), .restore(let name, _, _):
            objects.insert(name.lowercased())
        case .createSpatial(let index), .dropSpatial(let index):
            objects.insert(index.name.lowercased())
        case .fillSpatial, .createTemporary, .indexTemporary, .rebuildIndex: break
        }
    }
}

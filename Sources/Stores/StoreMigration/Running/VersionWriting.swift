import Diagnostics
import Essentials
import ModelCompiling
import ModelHashing
import ObjectModel
import PropertyLists
import SQLiteAccess
import StoreFormat

/// The model of a version as stores keep it, packed once for all stores that get the version.
final class PackedModel: Sendable {
    private let known = Locked<ModelCache?>(nil)

    /// Returns the cache of the model; concurrent callers wait while it is packed.
    func cache(of model: ManagedObjectModel) -> ModelCache {
        known.withLock { known in
            let cache = known ?? ModelCache(of: model)
            known = cache
            return cache
        }
    }
}

extension MigrationExecution {
    /// Gives a store the metadata and the model of the new version; foreign entries of the metadata stay.
    func writeVersion(of step: StepProgram) throws(StoreError) {
        var metadata = try StoreMetadata(connection)
        let (model, hashes) = (step.destination.model, step.destination.hashes)
        metadata.setModel(hashes: hashes, versionIdentifiers: model.versionIdentifiers)
        try writeMetadata(metadata, on: connection)
        try replaceModelCache(by: step.packedModel.cache(of: model), on: connection)
    }

    func requireWholeLayout(of step: StepProgram) throws(StoreMigrationError) {
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
        case .addHistoryColumn(let column): objects.insert(column.table.lowercased())
        case .createIndex(let index): objects.insert(index.name.lowercased())
        case .createTrigger(let trigger): objects.insert(trigger.name.lowercased())
        case .dropIndex(let name, _), .dropTrigger(let name, _):
            objects.insert(name.lowercased())
        case .restore(let object): objects.insert(object.name.lowercased())
        case .createSpatial(let index), .dropSpatial(let index):
            objects.insert(index.name.lowercased())
        case .fillSpatial, .createTemporary, .indexTemporary, .rebuildIndex: break
        }
    }
}

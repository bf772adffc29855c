import Diagnostics
package import Essentials
import ModelCompiling
import ModelHashing
package import ObjectModel
import PropertyLists
package import SQLiteAccess

/// What a new store depends on besides its model.
package struct StoreCreationOptions: Sendable, Hashable {
    package var layout: LayoutOptions = LayoutOptions()
    package var keepsHistory: Bool
    package var uuid: UUID
    package var modelCache: ModelCache
    /// The bytes of a page of the database; Core Data makes pages of 4,096, and reads any.
    package var pageSize = 4096

    package enum ModelCache: Sendable, Hashable {
        /// The compiled model; nothing when it does not compile without errors.
        case compiled
        case archive(Data)
        /// Nothing, which is valid: older stores have none.
        case empty
    }

    /// Creates options; the defaults are a store of a current system without history.
    package init(
        keepsHistory: Bool = false,
        uuid: UUID = UUID(),
        modelCache: ModelCache = .compiled
    ) {
        (self.keepsHistory, self.uuid, self.modelCache) = (keepsHistory, uuid, modelCache)
    }
}

/// Creates a store as Core Data would from a model, empty unless it is filled.
///
/// The store appears complete or not at all: it is created beside `path`, which must not exist, and moved there. Throws
/// `StoreError.alreadyExists(path:)`, or the error of the system or SQLite. `load` writes rows before there are indexes,
/// triggers or system tables, which is fast, and returns the greatest keys by the root entity's name; its folder for
/// external values need not exist. `fill` runs at the end.
package func createStore(
    at path: String,
    model: ManagedObjectModel,
    options: StoreCreationOptions = StoreCreationOptions(),
    fill: (SQLiteConnection, StoreLayout) throws(StoreError) -> Void = {
        (_, _) throws(StoreError) in
    },
    load: (SQLiteConnection, StoreLayout, URL) throws(StoreError) -> [String: Int64] = {
        (_, _, _) throws(StoreError) in [:]
    }
) throws(StoreError) {
    let file = try WorkFile(for: path)
    try build(file, model, options, load, fill)
    try file.publish()
}

private func build(
    _ file: WorkFile,
    _ model: ManagedObjectModel,
    _ options: StoreCreationOptions,
    _ load: (SQLiteConnection, StoreLayout, URL) throws(StoreError) -> [String: Int64],
    _ fill: (SQLiteConnection, StoreLayout) throws(StoreError) -> Void
) throws(StoreError) {
    let connection = try SQLiteConnection(
        path: file.path,
        mode: .create,
        reportedPath: file.destination
    )
    try connection.execute("PRAGMA page_size = \(options.pageSize)")
    try connection.execute("PRAGMA auto_vacuum = 2")
    // The draft is invisible until it is complete, and discarded after a failure.
    try connection.setJournal("off")
    try connection.execute("PRAGMA synchronous = OFF")
    try connection.execute("PRAGMA cache_size = -16384")
    try connection.registerTriggerFunctions()
    // The schema is the layout's own: triggers may write to the tables of spatial indexes.
    try connection.execute("PRAGMA trusted_schema = ON")
    try connection.execute("BEGIN IMMEDIATE")
    let layout = StoreLayout(model: model, options: options.layout)
    try createTables(of: layout, on: connection)
    let maximumKeys = try load(connection, layout, file.externalData)
    try createIndexesAndTriggers(of: layout, on: connection)
    try createSystemTables(on: connection)
    if options.keepsHistory {
        let history = HistoryLayout(model: model, options: options.layout)
        try createHistory(history, on: connection)
    }
    try insertPrimaryKeys(of: layout.entities, maximumKeys, on: connection)
    let metadata = StoreMetadata(of: model, options: options)
    try connection.execute(
        "INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?, ?)",
        [.text(metadata.uuid), .blob(metadata.encoded)]
    )
    if let archive = try archive(of: model, options.modelCache, path: connection.path) {
        try writeModelCache(ModelCache(archive), on: connection)
    }
    try fill(connection, layout)
    try connection.execute("COMMIT")
    try connection.execute("PRAGMA synchronous = FULL")
    try connection.setJournal("wal")
    try connection.execute("PRAGMA main.wal_checkpoint(TRUNCATE)")
}

private func archive(
    of model: ManagedObjectModel,
    _ cache: StoreCreationOptions.ModelCache,
    path: String
) throws(StoreError) -> Data? {
    switch cache {
    case .compiled:
        let archive = compileModel(model)
        if let fault = archive.diagnostics.first(where: { $0.severity == .error }) {
            throw .cannotCreate(
                path: path,
                reason: "its model cannot be compiled: \(fault.message)"
            )
        }
        return archive.value.binaryData
    case .archive(let archive): return archive
    case .empty: return nil
    }
}

/// Creates the tables, indexes and triggers of a layout, in Core Data's order.
package func createObjects(
    of layout: StoreLayout,
    on connection: SQLiteConnection
) throws(StoreError) {
    try createTables(of: layout, on: connection)
    try createIndexesAndTriggers(of: layout, on: connection)
}

private func createTables(
    of layout: StoreLayout,
    on connection: SQLiteConnection
) throws(StoreError) {
    let joins = Dictionary(grouping: layout.joinTables) {
        layout.table(of: $0.namingRelationship.entity)?.name ?? ""
    }
    let statements = layout.tables.flatMap { table in
        [table.createSQL] + (joins[table.name] ?? []).map(\.createSQL)
    }
    try SchemaBuilding.run(statements.map { .table($0) }, on: connection)
}

private func createIndexesAndTriggers(
    of layout: StoreLayout,
    on connection: SQLiteConnection
) throws(StoreError) {
    let indexes = layout.indexes.map { SchemaBuilding.Statement.object(of: $0.table, $0.sql) }
    try SchemaBuilding.run(indexes, on: connection)
    for index in layout.spatialIndexes {
        for sql in [index.createSQL, index.fillSQL] + index.triggers.map(\.sql) {
            try connection.execute(sql)
        }
    }
    let triggers = layout.triggers.map { SchemaBuilding.Statement.object(of: $0.table, $0.sql) }
    try SchemaBuilding.run(triggers, on: connection)
}

package func createSystemTables(on connection: SQLiteConnection) throws(StoreError) {
    for table in SystemTable.all + [SystemTable.modelCache] { try connection.execute(table.sql) }
}

package func createHistory(
    _ history: HistoryLayout,
    on connection: SQLiteConnection
) throws(StoreError) {
    for sql in history.tables.map(\.sql) + history.indexes.map(\.sql) {
        try connection.execute(sql)
    }
    try insertPrimaryKeys(of: history.entities, on: connection)
}

/// Writes the rows of `Z_PRIMARYKEY` for new entities; `maximumKeys` are by root entity.
package func insertPrimaryKeys(
    of entities: [NumberedEntity],
    _ maximumKeys: [String: Int64] = [:],
    on connection: SQLiteConnection
) throws(StoreError) {
    for entity in entities {
        try connection.execute(
            "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, ?)",
            [
                .integer(Int64(entity.number)), .text(entity.name),
                .integer(Int64(entity.superNumber)),
                .integer(entity.superNumber == 0 ? maximumKeys[entity.name] ?? 0 : 0),
            ]
        )
    }
}

/// A model as stores keep it: its packed keyed archive.
package struct ModelCache: Sendable, Hashable {
    package let content: Data

    package init(_ archive: Data) { content = deflate(archive) }
}

package func writeModelCache(
    _ cache: ModelCache,
    on connection: SQLiteConnection
) throws(StoreError) {
    try connection.execute("DELETE FROM Z_MODELCACHE")
    try connection.execute(
        "INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)",
        [.blob(cache.content)]
    )
}

/// Writes the metadata back; the row and its UUID must exist.
package func writeMetadata(
    _ metadata: StoreMetadata,
    on connection: SQLiteConnection
) throws(StoreError) {
    try connection.execute(
        "UPDATE Z_METADATA SET Z_UUID = ?, Z_PLIST = ? WHERE Z_VERSION = 1",
        [.text(metadata.uuid), .blob(metadata.encoded)]
    )
}

extension StoreMetadata {
    /// Makes the metadata of a new store, with the entries that its framework writes.
    init(of model: ManagedObjectModel, options: StoreCreationOptions) {
        let version = options.layout.frameworkVersion
        self.init(
            uuid: options.uuid.uuidString,
            entries: [
                Key.hashesVersion.rawValue: .integer(3), Key.storeType.rawValue: .string("SQLite"),
                Key.autoVacuumLevel.rawValue: .string("2"),
            ]
        )
        hashes = versionHashes(of: model)
        versionIdentifiers = model.versionIdentifiers
        frameworkVersion = version
        if version >= FrameworkVersion.historyStrings { digest = hashes.digest }
        if version >= FrameworkVersion.checksum { checksum = hashes.checksum }
        if version >= FrameworkVersion.maximum {
            entries[Key.maximumFrameworkVersion.rawValue] = .integer(Int64(version))
        }
    }

    /// Restores metadata without the version of the model; `readable` is the readable rest.
    package init(restoring readable: StoreMetadata?, uuid: String, _ model: ManagedObjectModel) {
        self.init(of: model, options: StoreCreationOptions())
        self.uuid = uuid
        for (key, value) in readable?.entries ?? [:]
        where ![Key.hashes, .digest, .checksum, .identifiers].map(\.rawValue).contains(key) {
            entries[key] = value
        }
    }

    package var encoded: Data { PropertyList.dictionary(entries).binaryData }
}

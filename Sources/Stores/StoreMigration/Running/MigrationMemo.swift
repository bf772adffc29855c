import Diagnostics
package import ObjectModel
import SQLiteAccess
package import StoreFormat

/// The migrations to one version, each worked out once for all stores with the same layout.
///
/// Working out a migration takes longer than carrying it out on a small store. Safe to use from several threads.
package final class MigrationMemo: Sendable {
    private let destination: ModelVersion
    private let known = Locked<[Basis: Migration]>([:])

    package init(to destination: ModelVersion) { self.destination = destination }

    /// Returns the migration of a store, which may be that of an earlier one; `source` has the entity hashes of the
    /// store.
    package func migration(
        of store: StoreFile,
        from source: ModelVersion
    ) throws(StoreMigrationError) -> Migration {
        let basis = try storeErrors(Basis(store, source))
        if let migration = known.withLock({ $0[basis] }) { return migration }
        let contents = try storeErrors(StoreContents(of: store))
        let route = MigrationRoute(from: source, to: destination)
        let migration = try Migration(of: contents, along: route)
        known.withLock { $0[basis] = migration }
        return migration
    }
}

/// All that a migration depends on besides the models.
private struct Basis: Hashable {
    private let source: String
    private let sourcePath: String
    /// Versions may share a name; a remembered migration retains its version, and so this identity.
    private let sourceModel: ObjectIdentifier
    private let hashes: ModelHashes
    private let frameworkVersion: Int?
    private let schema: RowBytes

    init(_ store: StoreFile, _ source: ModelVersion) throws(StoreError) {
        (self.source, sourcePath) = (source.name, source.path)
        sourceModel = ObjectIdentifier(source.memo)
        let metadata = try store.metadata()
        hashes = metadata.hashes
        frameworkVersion = metadata.frameworkVersion
        schema = try StoreSchema.bytes(of: store.connection)
    }
}

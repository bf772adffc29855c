import Diagnostics
import Foundation
import ModelHashing
import ModelLoading
import ObjectModel
import StoreFormat

/// The version that stores shall get, and those that they may have, of which no more is hashed than is needed.
struct KnownVersions: Sendable {
    /// The version that stores shall get.
    let destination: ModelVersion
    private let versions: [ModelVersion]
    /// Where the versions of the stores that were asked for stand, for other stores of the same versions.
    private let known = Locked<[ModelHashes: Int]>([:])

    /// Takes the versions of some bundles; the new one is of the last bundle.
    init(_ bundles: [ModelBundle], to name: String?) throws {
        destination = try bundles[bundles.count - 1].chosenVersion(name)
        versions = bundles.flatMap(\.versions)
    }

    /// Finds the version of a store.
    ///
    /// It is found by its entity hashes; where no version has them, the model that the store carries is taken, if
    /// its hashes are those of the metadata.
    ///
    /// - Returns: the version, and whether it is one of the bundles.
    func source(of store: StoreFile, mayGoBack: Bool) throws -> (ModelVersion, isListed: Bool) {
        let metadata = try store.metadata()
        if metadata.hashes == destination.hashes { return (destination, true) }
        guard let index = index(of: metadata) else {
            return (try ownVersion(of: store, metadata.hashes), false)
        }
        let source = versions[index]
        let end = versions.lastIndex { $0.path == destination.path } ?? versions.count
        guard index < end || mayGoBack else {
            let message =
                "the store is of version '\(source.name)', which is newer than "
                + "'\(destination.name)'; migrate backwards with --allow-backward"
            throw CommandFailure(.refused, store.path, message, "backward-migration")
        }
        return (source, true)
    }

    private func index(of metadata: StoreMetadata) -> Int? {
        let hashes = metadata.hashes
        if let index = known.withLock({ $0[hashes] }) { return index }
        let identifiers = metadata.versionIdentifiers
        let index = versions.index(withHashes: hashes, identifiers: identifiers)
        known.withLock { $0[hashes] = index }
        return index
    }

    private func ownVersion(
        of store: StoreFile,
        _ hashes: ModelHashes
    ) throws -> ModelVersion {
        if var own = try embeddedVersion(of: store)?.value, own.hashes == hashes {
            own.name = "the store's own model"
            return own
        }
        var lines = [
            "the store is of no version of the model (134130 NSMigrationMissingSourceModelError)"
        ]
        let identity = identify(storeHashes: hashes, among: versions)
        if case .nearest(let name, let differences) = identity {
            let entities = differences.map(\.entity).joined(separator: ", ")
            lines.append("nearest is '\(name)', which differs in \(entities)")
        }
        lines.append("if another model holds its version, name that one first by its own --model")
        throw CommandFailure(
            .refused,
            store.path,
            lines.joined(separator: "; "),
            "unknown-store-version"
        )
    }
}

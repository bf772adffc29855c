import Diagnostics
import Foundation
import ModelHashing
import ModelLoading
import ObjectModel
import StoreFormat

/// The version that stores shall get, and those that they may have, each hashed once for all stores.
struct KnownVersions: Sendable {
    /// The version that stores shall get.
    let destination: ModelVersion
    private let destinationHashes: ModelHashes
    private let versions: [(version: ModelVersion, hashes: ModelHashes)]

    /// Takes the versions of some bundles; the new one is of the last bundle.
    init(_ bundles: [ModelBundle], to name: String?) throws {
        destination = try bundles[bundles.count - 1].chosenVersion(name)
        destinationHashes = versionHashes(of: destination.model)
        versions = bundles.flatMap(\.versions).map { ($0, versionHashes(of: $0.model)) }
    }

    /// Finds the version of a store.
    ///
    /// It is found by its entity hashes; where no version has them, the model that the store carries is taken, if
    /// its hashes are those of the metadata.
    ///
    /// - Returns: the version, and whether it is one of the bundles.
    func source(of store: StoreFile, mayGoBack: Bool) throws -> (ModelVersion, isListed: Bool) {
        let hashes = try store.metadata().hashes
        if hashes == destinationHashes { return (destination, true) }
        guard let index = versions.lastIndex(where: { $0.hashes == hashes }) else {
            return (try embeddedVersion(of: store, hashes), false)
        }
        let source = versions[index].version
        let end = versions.lastIndex { $0.version.path == destination.path } ?? versions.count
        guard index < end || mayGoBack else {
            let message =
                "the store is of version '\(source.name)', which is newer than "
                + "'\(destination.name)'; migrate backwards with --allow-backward"
            throw CommandFailure(.refused, store.path, message, "backward-migration")
        }
        return (source, true)
    }

    private func embeddedVersion(
        of store: StoreFile,
        _ hashes: ModelHashes
    ) throws -> ModelVersion {
        if let model = try embeddedModel(of: store)?.value, versionHashes(of: model) == hashes {
            let name = "the store's own model"
            return ModelVersion(name: name, path: store.path, isCurrent: false, model: model)
        }
        var lines = [
            "the store is of no version of the model (134130 NSMigrationMissingSourceModelError)"
        ]
        let identity = identify(
            storeHashes: hashes,
            among: versions.map { ($0.version.name, $0.hashes) }
        )
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

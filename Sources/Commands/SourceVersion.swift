import Diagnostics
import Foundation
import ModelHashing
import ModelLoading
import ObjectModel
import StoreFormat

/// The version that a store has, and the one that it shall get.
struct MigrationEnds {
    var source: ModelVersion
    var destination: ModelVersion

    /// Finds both ends among the versions of some bundles.
    ///
    /// The store's version is found by its entity hashes; where no version has them, the model that the store
    /// carries is taken, if its hashes are those of the metadata.
    init(of store: StoreFile, bundles: [ModelBundle], to name: String?, mayGoBack: Bool) throws {
        let bundle = bundles[bundles.count - 1]
        destination = try bundle.chosenVersion(name)
        let hashes = try store.metadata().hashes
        let versions = bundles.flatMap(\.versions)
        if hashes == versionHashes(of: destination.model) {
            source = destination
            return
        }
        guard let index = versions.lastIndex(where: { versionHashes(of: $0.model) == hashes })
        else {
            source = try Self.embeddedVersion(of: store, hashes, versions)
            return
        }
        source = versions[index]
        let end = versions.lastIndex { $0.path == destination.path } ?? versions.count
        guard index < end || mayGoBack else {
            let message =
                "the store is of version '\(source.name)', which is newer than "
                + "'\(destination.name)'; migrate backwards with --allow-backward"
            throw CommandFailure(.refused, store.path, message, "backward-migration")
        }
    }

    private static func embeddedVersion(
        of store: StoreFile,
        _ hashes: ModelHashes,
        _ versions: [ModelVersion]
    ) throws -> ModelVersion {
        if let model = try embeddedModel(of: store)?.value, versionHashes(of: model) == hashes {
            let name = "the store's own model"
            return ModelVersion(name: name, path: store.path, isCurrent: false, model: model)
        }
        var lines = [
            "the store is of no version of the model (134130 NSMigrationMissingSourceModelError)"
        ]
        if case .nearest(let name, let differences) = try identify(store, among: versions) {
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

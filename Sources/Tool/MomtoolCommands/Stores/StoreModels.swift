import Diagnostics
import ModelLoading
import Momtool
import ObjectModel
import StoreFormat

/// The models to read stores with: the version of the named one that wrote a store, or the store's own.
///
/// The named one is read once for all stores.
final class StoreModels: Sendable {
    private let name: String?
    private let swift: SwiftSettings
    private let bundle = Locked<ModelBundle?>(nil)

    init(named name: String?, _ swift: SwiftSettings) { (self.name, self.swift) = (name, swift) }

    func model(of store: StoreFile) throws -> ManagedObjectModel {
        if var bundle = try named() {
            let names = try? store.metadata().hashes.entityNames
            bundle = bundle.narrowed(to: Set(names ?? [])) ?? bundle
            // A model may be named because the metadata cannot be read.
            if let writer = try? StoreWriter(of: store, among: bundle.versions) {
                let version = bundle.versions[writer.place]
                // Versions with equal hashes differ by their indexes: the named or current one says which exist.
                let equal = bundle.versions.filter { $0.hashes == version.hashes }
                let wanted =
                    bundle.selectedVersionName.map { name in equal.first { $0.name == name } }
                    ?? equal.first(where: \.isCurrent)
                return (wanted ?? version).model
            }
            if bundle.selectedVersionName == nil, (try? store.metadata().saysVersion) == true,
                let fault = bundle.unreadableVersions.fault(of: store.path)
            {
                throw fault
            }
            if bundle.selectedVersionName == nil, (try? store.metadata().saysVersion) != true,
                let own = try? embeddedVersion(of: store), !own.hasErrors,
                let version = bundle.versions.last(where: { $0.hashes == own.value.hashes })
            {
                return version.model
            }
            return try bundle.chosenVersion(nil).model
        }
        guard let version = try embeddedVersion(of: store) else {
            let message = "the store has no model; name one with --model"
            throw CommandFailure(.noInput, store.path, message, .notAModel)
        }
        return try checked(version).model
    }

    private func named() throws -> ModelBundle? {
        guard let name else { return nil }
        return try bundle.withLock { bundle in
            if let bundle { return bundle }
            let loaded = try ModelPlace(name, swift: swift).load()
            bundle = loaded
            return loaded
        }
    }
}

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
        if let bundle = try named() { return try bundle.model(of: store) }
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

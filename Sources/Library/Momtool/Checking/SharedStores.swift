package import ModelLoading
import ObjectModel
import SwiftDataReading

extension ModelBundle {
    /// Whether a model of Core Data and one of SwiftData share entities, and no container of SwiftData has these in a file
    /// of its own.
    package func mayShareStore(with other: ModelBundle) -> Bool {
        let shared = entityNames.intersection(other.entityNames)
        let stores = ((swift ?? other.swift)?.stores ?? [])
            .filter { !$0.entities.isDisjoint(with: shared) }
        let isApart = stores.allSatisfy { $0.fileName?.hasSuffix(".store") == true }
        return !shared.isEmpty && (stores.isEmpty || !isApart)
    }
}

import ModelHashing
package import ObjectModel

package struct EntityDifference: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case missingInStore
        case missingInModel
        case differentHash
    }

    package var entity: String
    package var kind: Kind

    package init(entity: String, kind: Kind) {
        self.entity = entity
        self.kind = kind
    }
}

/// Which version of a model a store was written with.
package enum StoreIdentity: Sendable, Hashable {
    /// Every entity of the store has the same hash in these versions, and there are no others.
    case exact([String])
    /// No version fits; this one differs least, in these entities, sorted by name.
    case nearest(String, [EntityDifference])
    case unknown
}

/// Finds the version of a model that wrote a store, only by entity hashes.
///
/// A store of a merged model, which has more or fewer entities than a version, does not match it exactly. Of versions
/// that differ in equally many entities the last one is the nearest.
package func identify(storeHashes: ModelHashes, among versions: [ModelVersion]) -> StoreIdentity {
    hashTogether(versions)
    let exact = versions.filter { $0.hashes == storeHashes }.map(\.name)
    guard exact.isEmpty else { return .exact(exact) }
    var nearest: (name: String, differences: [EntityDifference])?
    for version in versions {
        let found = differences(storeHashes, version.hashes)
        if let best = nearest, best.differences.count < found.count { continue }
        nearest = (version.name, found)
    }
    return nearest.map { .nearest($0.name, $0.differences) } ?? .unknown
}

private func differences(_ store: ModelHashes, _ model: ModelHashes) -> [EntityDifference] {
    Set(store.entityNames + model.entityNames).sorted().compactMap { entity in
        switch (store.entities[entity], model.entities[entity]) {
        case (nil, _): EntityDifference(entity: entity, kind: .missingInStore)
        case (_, nil): EntityDifference(entity: entity, kind: .missingInModel)
        case let (left, right):
            left == right ? nil : EntityDifference(entity: entity, kind: .differentHash)
        }
    }
}

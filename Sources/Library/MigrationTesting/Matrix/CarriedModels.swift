import MappingInference
import ModelDiffing
import ModelHashing
import Momtool
import ObjectModel
import StoreFormat

/// The model that a store carries, from which SwiftData infers the step where the app has no versions; `nil` for a store
/// of another app.
func ownVersion(of store: StoreFile, _ target: ModelVersion) throws -> ModelVersion? {
    guard target.isMigratedUnasked, let own = try embeddedVersion(of: store)?.value,
        try own.hashes == store.metadata().hashes,
        !Set(own.hashes.entityNames).isDisjoint(with: target.hashes.entityNames)
    else { return nil }
    return own
}

/// Says which version is nearest to the model that a store carries, and what it has otherwise, as after an edit in place.
func nearest(to store: StoreFile, among versions: [ModelVersion]) -> String {
    guard let own = try? embeddedVersion(of: store)?.value,
        !Set(versions.flatMap(\.hashes.entityNames)).isDisjoint(with: own.hashes.entityNames),
        case .nearest(let name, _) = identify(storeHashes: own.hashes, among: versions),
        let version = versions.last(where: { $0.name == name })
    else { return "" }
    let changes = inferMapping(from: own, to: version).judgements.map(\.change)
    let names = changes.filter(\.movesVersionHash).compactMap(\.subject.path)
    return "; nearest is '\(name)', which differs in \(names.listed(most: 5))"
}

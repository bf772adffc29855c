import Diagnostics
import ModelHashing
package import ObjectModel

/// Whether two models open one store: names and hashes of all entities must be equal.
package struct StoreFit: Sendable, Hashable {
    package struct EntityFit: Sendable, Hashable {
        package enum Relation: Sendable, Hashable {
            case equal
            /// Its hashes differ, because of these properties.
            case different([String])
            case onlyInFirst, onlyInSecond
            /// One of them has no hash for it, as part of it is not understood.
            case unknown
        }

        package var name: String
        package var relation: Relation
    }

    package var entities: [EntityFit]

    package var opensOneStore: Bool { entities.allSatisfy { $0.relation == .equal } }

    package var equalCount: Int { entities.count { $0.relation == .equal } }

    package var words: String {
        let count = entities.count
        return "\(equalCount) of \(count) entity \(count == 1 ? "hash" : "hashes") equal"
    }

    package init(_ first: ModelVersion, _ second: ModelVersion) {
        let (one, two) = (first.hashes.entities, second.hashes.entities)
        let gaps = Set(
            (first.model.entities + second.model.entities).filter { !$0.gaps.isEmpty }.map(\.name)
        )
        let names = Set(one.keys).union(two.keys).sorted { $0.precedesByCodeUnits($1) }
        let properties = (parts(of: first.model), parts(of: second.model))
        entities = names.map { name in
            let relation: EntityFit.Relation =
                switch (one[name], two[name]) {
                case (nil, _): .onlyInSecond
                case (_, nil): .onlyInFirst
                case _ where gaps.contains(name): .unknown
                case (let left, let right) where left == right: .equal
                default:
                    .different(differences(properties.0[name] ?? [:], properties.1[name] ?? [:]))
                }
            return EntityFit(name: name, relation: relation)
        }
    }
}

private func parts(of model: ManagedObjectModel) -> [String: [String: VersionHash]] {
    propertyHashes(of: model).reduce(into: [:]) {
        $0[$1.entity, default: [:]][$1.property] = $1.hash
    }
}

private func differences(
    _ one: [String: VersionHash],
    _ two: [String: VersionHash]
) -> [String] {
    Set(one.keys).union(two.keys).filter { one[$0] != two[$0] }
        .sorted { $0.precedesByCodeUnits($1) }
}

/// Returns two versions with only outlines of the common entities that one of them does not understand: missing parts are
/// not differences, and relationships lead to them as before.
package func comparable(
    _ old: ModelVersion,
    _ new: ModelVersion
) -> (old: ModelVersion, new: ModelVersion) {
    let names = entitiesNotCompared(old, new)
    return (old.outlining(names), new.outlining(names))
}

/// The names of entities in both versions that one of them does not understand.
package func entitiesNotCompared(_ old: ModelVersion, _ new: ModelVersion) -> Set<String> {
    let gaps = old.entitiesWithGaps.union(new.entitiesWithGaps)
    guard !gaps.isEmpty else { return [] }
    return gaps.intersection(old.model.entities.map(\.name))
        .intersection(new.model.entities.map(\.name))
}

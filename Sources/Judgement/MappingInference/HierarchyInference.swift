import Diagnostics
package import ModelDiffing
package import ObjectModel

/// Refuses hierarchies of the new version that merge several hierarchies of the old one.
///
/// Each root entity has one table; Core Data does not merge tables (MigrationBehaviour, "Entities"). Splitting a
/// hierarchy is documented to work.
func hierarchyRefusals(_ matching: ModelMatching) -> [Refusal] {
    mergedHierarchies(matching).map { root, sources in
        let names = sources.map { "'\($0.name)'" }.joined(separator: ", ")
        return Refusal(
            rule: "merged-hierarchies",
            code: .migration,
            raisesException: true,
            reason: "Cannot merge multiple root entity source tables into one destination entity"
                + " root table",
            evidence: .documented,
            entity: root.name,
            fromLocation: sources.last?.source.location(of: "parentEntity"),
            toLocation: root.source.element,
            cure: "keep \(names) in separate hierarchies, or add a new entity and move the"
                + " objects in a custom stage"
        )
    }
}

package func mergedHierarchies(_ matching: ModelMatching) -> [(root: Entity, sources: [Entity])] {
    var sources: [String: [String: Entity]] = [:]
    for pair in matching.entityPairs
    where pair.to.parentEntity != nil || !matching.to.subentityNames(of: pair.to.name).isEmpty {
        let name = matching.oldProperties.lists(of: pair.from).root
        guard let root = matching.from.entity(name) else { continue }
        let newRoot = matching.newProperties.lists(of: pair.to).root
        sources[newRoot, default: [:]][root.name] = root
    }
    return sources.filter { $0.value.count > 1 }.sorted { $0.key < $1.key }
        .compactMap { name, roots in
            matching.to.entity(name).map { root in
                (root, roots.sorted { $0.key < $1.key }.map(\.value))
            }
        }
}

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

/// Returns the uniqueness constraints that are new for the entity's rows.
///
/// Own ones of the entity, and inherited ones when it has a new parent; a constraint that a parent gained is reported
/// at the parent, whose sub-entities it covers.
func uniquenessRisks(
    _ pair: EntityPair,
    _ matching: ModelMatching,
    _ attributes: [AttributeMapping],
    _ relationships: [RelationshipMapping]
) -> [RowRisk] {
    let constraints = matching.newProperties.lists(of: pair.to).constraints
    guard !constraints.isEmpty else { return [] }
    var mapped: [String: RowRisk.ConstrainedProperty] = [:]
    // Rows without a value are equal to none, until all get the same.
    var filled: Set<String> = []
    for mapping in attributes where mapping.elementPath.isEmpty {
        if mapping.source != nil, mapping.nullReplacement != nil {
            filled.insert(mapping.destination.name)
        }
        mapped[mapping.destination.name] = RowRisk.ConstrainedProperty(
            destination: mapping.destination,
            source: mapping.source,
            fill: isNew(mapping.destination.name, pair, matching) ? mapping.fill : nil
        )
    }
    for mapping in relationships {
        mapped[mapping.destination.name] = RowRisk.ConstrainedProperty(
            destination: mapping.destination,
            source: mapping.source
        )
    }
    let oldParent = matching.from.parent(of: pair.from)?.name
    let newParent = matching.to.parent(of: pair.to)?.name
    let isMoved = !matching.isSameEntity(oldParent, newParent)
    return constraints.filter { isMoved || $0.declaredBy == pair.to.name }
        .map(\.constraint.properties)
        .filter { !rowsMeet($0, pair, matching) || !filled.isDisjoint(with: $0) }
        .compactMap { properties in
            // A property without a column, such as a composite, is in no unique index.
            let members = properties.compactMap { mapped[$0] }
            guard members.count == properties.count else { return nil }
            return RowRisk(.newUniquenessConstraint(members), of: pair.from.name, to: pair.to.name)
        }
}

/// Whether all rows meet a constraint of the new version: the old one has a constraint over some of its properties, or one
/// of them is new and gets no value.
func rowsMeet(_ properties: [String], _ pair: EntityPair, _ matching: ModelMatching) -> Bool {
    properties.contains { name in
        guard isNew(name, pair, matching),
            case let attribute as Attribute = matching.to.property(name, of: pair.to)?.0
        else { return false }
        return attribute.defaultValue == nil && attribute.unstatedDefault == nil
            && attribute.unreadDefault == nil && attribute.derivation == nil
            && attribute.type != .composite && !attribute.isTransient
    }
        || heldConstraints(pair, matching).contains { $0.isSubset(of: properties) }
}

/// Whether no rows have a value of a property of the new version, in the entity and below it.
private func isNew(_ name: String, _ pair: EntityPair, _ matching: ModelMatching) -> Bool {
    !matching.entityPairs.contains { other in
        matching.to.isEntity(other.to, kindOf: pair.to)
            && (matching.attributes(of: other).pairs.contains {
                $0.to.property.name == name && $0.from.isStored
            } || matching.relationships(of: other).pairs.contains { $0.to.property.name == name })
    }
}

/// Returns the constraints of the old version on the entity's rows, in the new version's names.
///
/// The unique index of an entity is one of the table, so that rows of all entities of a hierarchy meet the constraint of
/// one of them (SQLiteStores, "Indexes").
private func heldConstraints(_ pair: EntityPair, _ matching: ModelMatching) -> [Set<String>] {
    let (graph, entity) = (matching.from, pair.from)
    let root = graph.entity(matching.oldProperties.lists(of: entity).root) ?? entity
    let constraints = graph.hierarchy(of: root).flatMap { owner in
        owner.uniquenessConstraints.map(\.properties).filter { properties in
            properties.allSatisfy { name in
                let declaring = graph.property(name, of: owner)?.declaredBy.name
                return graph.property(name, of: entity)?.declaredBy.name == declaring
            }
        }
    }
    guard !constraints.isEmpty else { return [] }
    let newNames = matching.newNames(of: pair)
    return constraints.compactMap { properties in
        let names = properties.compactMap { newNames[$0] }
        // A constraint over a dropped property does not constrain the rest.
        return names.count == properties.count ? Set(names) : nil
    }
}

import ModelDiffing
import ObjectModel

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
            fill: mapping.fill
        )
    }
    for mapping in relationships {
        mapped[mapping.destination.name] = RowRisk.ConstrainedProperty(
            destination: mapping.destination,
            source: mapping.source
        )
    }
    let held = heldConstraints(pair, matching)
    let oldParent = matching.from.parent(of: pair.from)?.name
    let newParent = matching.to.parent(of: pair.to)?.name
    let isMoved = !matching.isSameEntity(oldParent, newParent)
    return constraints.filter { isMoved || $0.declaredBy == pair.to.name }
        .map(\.constraint.properties)
        .filter { !held.contains(Set($0)) || !filled.isDisjoint(with: $0) }
        .compactMap { properties in
            // A property without a column, such as a composite, is in no unique index.
            let members = properties.compactMap { mapped[$0] }
            guard members.count == properties.count else { return nil }
            return RowRisk(.newUniquenessConstraint(members), of: pair.from.name, to: pair.to.name)
        }
}

/// Returns the constraints of the old version on the entity's rows, in the new version's names.
func heldConstraints(_ pair: EntityPair, _ matching: ModelMatching) -> Set<Set<String>> {
    let constraints = matching.oldProperties.lists(of: pair.from).constraints
    guard !constraints.isEmpty else { return [] }
    let newNames = matching.newNames(of: pair)
    return Set(
        constraints.compactMap { constraint, _ in
            let names = constraint.properties.compactMap { newNames[$0] }
            // A constraint over a dropped property does not constrain the rest.
            return names.count == constraint.properties.count ? Set(names) : nil
        }
    )
}

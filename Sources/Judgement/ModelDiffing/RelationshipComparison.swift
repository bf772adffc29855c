import ObjectModel

func relationshipChanges(
    from: Relationship,
    to: Relationship,
    _ matching: ModelMatching
) -> [RelationshipChange] {
    // An equal name may be that of another entity.
    if from == to, matching.isSameEntity(from.destinationEntity, to.destinationEntity),
        !exchangesInverse(from, to, matching)
    {
        return []
    }
    return linkChanges(from: from, to: to, matching) + shapeChanges(from: from, to: to)
        + settingsChanges(from: from, to: to)
}

private func linkChanges(
    from: Relationship,
    to: Relationship,
    _ matching: ModelMatching
) -> [RelationshipChange] {
    var changes: [RelationshipChange] = changed(from, to, \.name) { .name(from: $0, to: $1) }
    let isSameDestination = matching.isSameEntity(from.destinationEntity, to.destinationEntity)
    if !isSameDestination || from.destinationEntity != to.destinationEntity {
        changes.append(
            .destination(
                from: from.destinationEntity,
                to: to.destinationEntity,
                isRename: isSameDestination
            )
        )
    }
    if from.inverseName != to.inverseName || exchangesInverse(from, to, matching) {
        changes.append(
            .inverse(
                from: from.inverseName,
                to: to.inverseName,
                isRename: matching.keepsInverse(from, to)
            )
        )
    }
    if from.inverseEntity != to.inverseEntity {
        changes.append(
            .inverseEntity(
                from: from.inverseEntity,
                to: to.inverseEntity,
                isRename: matching.isSameEntity(from.inverseEntity, to.inverseEntity)
            )
        )
    }
    return changes
}

/// Whether the inverse does not continue the former one, regardless of its name.
func exchangesInverse(_ from: Relationship, _ to: Relationship, _ matching: ModelMatching) -> Bool {
    // Without renaming identifiers each continues the one with its name.
    guard matching.renamesRelationships, let new = matching.to.inverse(of: to),
        matching.from.inverse(of: from) != nil,
        matching.source(of: new.0, declaredBy: new.declaredBy) != nil
    else { return false }
    return !matching.keepsInverse(from, to)
}

private func shapeChanges(from: Relationship, to: Relationship) -> [RelationshipChange] {
    var changes: [RelationshipChange] = changed(from, to, \.isToMany) {
        .cardinality(fromToMany: $0, toToMany: $1)
    }
    if changes.isEmpty {
        changes += changed(from, to, \.maxCount) { .maximumCount(from: $0, to: $1) }
    }
    changes += changed(from, to, \.isOrdered) { .order(from: $0, to: $1) }
    changes += changed(from, to, \.minCount) { .minimumCount(from: $0, to: $1) }
    changes += changed(from, to, \.isOptional) { .optionality(from: $0, to: $1) }
    changes += changed(from, to, \.isTransient) { .transience(from: $0, to: $1) }
    changes += changed(from, to, \.deleteRule) { .deleteRule(from: $0, to: $1) }
    return changes
}

private func settingsChanges(from: Relationship, to: Relationship) -> [RelationshipChange] {
    let plain = identityChanges(from: from, to: to) + remainingChanges(from: from, to: to)
    return flagChanges(from.flags, to.flags).map { .flag($0, from: !$1, to: $1) }
        + plain.map { .setting($0.setting, from: $0.from, to: $0.to) }
}

import ModelDiffing
import ObjectModel

func ruling(onAdding relationship: Relationship) -> Ruling {
    if relationship.isTransient { return .transientRelationshipAdded }
    return relationship.isToMany || relationship.isOptional
        ? .relationshipAdded : .mandatoryRelationshipAdded.with("name", relationship.name)
}

func ruling(onRemoving relationship: Relationship, _ matching: ModelMatching) -> Ruling {
    guard !relationship.isTransient else { return .transientRelationshipRemoved }
    guard inverseKeepsLinks(of: relationship, matching) else { return .relationshipRemoved }
    return relationship.isOrdered ? .orderedSideRemoved : .sideRemoved
}

func ruling(
    on change: RelationshipChange,
    _ pair: PropertyPair<Relationship>,
    _ matching: ModelMatching
) -> Ruling {
    let (from, to) = (pair.from.property, pair.to.property)
    switch change {
    case .name: return .relationshipRenamed
    case .declaringEntity: return .relationshipMoved
    case .destination(_, _, isRename: true): return .destinationRenamed
    case .destination: return rulingOnDestination(from, to, matching)
    case .inverse(_, _, let isRename):
        if losesOrderInManyToMany(from, to, matching) { return .orderLost }
        if isRename { return .inverseRenamed }
        return losesSharedDestinations(from, to, matching) || joinsOtherLinks(from, to, matching)
            ? .inverseLimits : .inverseChanged
    case .cardinality(_, toToMany: true):
        if becomesOrderedManyToMany(from, to, matching) { return .orderLost }
        return losesSharedDestinations(from, to, matching) ? .inverseLimits : .becomesToMany
    case .cardinality: return .becomesToOne
    case .order(_, to: true): return .becomesOrdered
    case .order: return to.isToMany ? .becomesUnordered : .toOneBecomesUnordered
    case .maximumCount where hasLowerLimit(from, to): return .maximumLowered
    case .minimumCount, .maximumCount: return .countChanged
    case .optionality(_, let isOptional):
        return isOptional || to.isToMany ? .optionalityChanged : .relationshipBecomesMandatory
    case .transience(_, to: true): return .relationshipBecomesTransient
    case .transience:
        return to.isOptional || to.isToMany ? .relationshipBecomesStored : ruling(onAdding: to)
    case .deleteRule: return .deleteRuleChanged
    case .setting(.versionHashModifier, _, _): return .relationshipHashModifierChanged
    case .inverseEntity, .flag, .setting: return .relationshipSettingChanged
    }
}

private func rulingOnDestination(
    _ from: Relationship,
    _ to: Relationship,
    _ matching: ModelMatching
) -> Ruling {
    switch DestinationReach(from: from, to: to, matching) {
    case .all: .destinationWidened
    case .some: .destinationNarrowed
    case .none where !to.isOptional && !to.isToMany:
        .mandatoryDestinationReplaced.with("name", to.name)
    case .none: .destinationReplaced
    }
}

/// Whether both sides are ordered to-many afterwards, and the inverse was so before: its order is lost.
private func becomesOrderedManyToMany(
    _ from: Relationship,
    _ to: Relationship,
    _ matching: ModelMatching
) -> Bool {
    guard let old = matching.from.inverse(of: from)?.0, let new = matching.to.inverse(of: to)?.0
    else { return false }
    return old.isToMany && old.isOrdered && new.isToMany && new.isOrdered
}

import ModelDiffing
import ObjectModel

/// Judges every difference by the table of verdicts.
///
/// A change that affects no version hash triggers nothing.
func judge(_ diff: ModelDiff, _ matching: ModelMatching) -> [Judgement] {
    let cloudKit = CloudKitJudging(matching)
    let merged = Set(mergedHierarchies(matching).map(\.root.name))
    let moved = Set(diff.movedEntities)
    return diff.changes.map { change in
        var row = ruling(on: change, matching, merged: merged, moved: moved)
        // An inverse of the same name is a different one if relationships are renamed, which triggers a migration.
        if !change.movesVersionHash, row.verdict.isInferable, !change.exchangesInverse {
            row.verdict = .noEffectOnHash
        }
        return Judgement(change: change, ruling: row, cloudKit: cloudKit?.ruling(on: change))
    }
}

extension ModelChange {
    fileprivate var exchangesInverse: Bool {
        guard case .relationshipChanged(_, .inverse(let from, let to, _)) = self else {
            return false
        }
        return from == to
    }
}

private func ruling(
    on change: ModelChange,
    _ matching: ModelMatching,
    merged: Set<String>,
    moved: Set<String>
) -> Ruling {
    switch change {
    case .entityAdded: .entityAdded
    case .entityRemoved(let entity) where entity.isAbstract: .abstractEntityRemoved
    case .entityRemoved:
        matching.to.model.entities.contains { $0.source.isOfSwift } ? .classRemoved : .entityRemoved
    case .entityChanged(let pair, let change):
        ruling(on: change, pair, matching, merged: merged, isMoved: moved.contains(pair.to.name))
    case .attributeAdded(let attribute, let pair): ruling(onAdding: attribute, to: pair, matching)
    case .attributeRemoved(let attribute, let pair):
        goesDown(attribute.name, from: pair, matching)
            ? .attributeMoved : ruling(onRemoving: attribute)
    case .attributeChanged(let pair, .optionality(_, to: false)) where fillsUnique(pair, matching):
        .uniqueBecomesMandatory
    case .attributeChanged(let pair, let change):
        ruling(on: change, from: pair.from.property, to: pair.to.property, isOptionalAsWhole: false)
    case .relationshipAdded(let relationship, _): ruling(onAdding: relationship)
    case .relationshipRemoved(let relationship, let pair):
        goesDown(relationship.name, from: pair, matching)
            ? .relationshipMoved : ruling(onRemoving: relationship, matching)
    case .relationshipChanged(let pair, let change): ruling(on: change, pair, matching)
    case .part(let part):
        switch part.kind {
        case .fetchedProperty: .fetchedPropertyChanged
        case .compositeType: .compositeTypeChanged
        case .configuration: .configurationChanged
        case .fetchRequest: .fetchRequestChanged
        }
    case .setting(.versionIdentifiers, _, _): .versionIdentifiersChanged
    case .setting: .modelSettingChanged
    }
}

private func ruling(
    on change: EntityChange,
    _ pair: EntityPair,
    _ matching: ModelMatching,
    merged: Set<String>,
    isMoved: Bool
) -> Ruling {
    switch change {
    case .name: .entityRenamed
    case .abstractness(_, let isAbstract):
        isAbstract ? .entityBecomesAbstract : .entityBecomesConcrete
    case .parent(_, _, isRename: true): .parentRenamed
    case .parent: rulingOnParent(of: pair, matching, merged: merged)
    case .uniquenessConstraintAdded(let constraint):
        // Rows under a parent's constraint have no duplicates already.
        heldConstraints(pair, matching).contains(Set(constraint.properties))
            ? .uniquenessConstraintMoved : .uniquenessConstraintAdded
    case .uniquenessConstraintRemoved: .uniquenessConstraintRemoved
    case .setting(.versionHashModifier, _, _): .hashModifierChanged
    case .fetchIndexAdded, .fetchIndexRemoved, .fetchIndex, .compoundIndexes:
        isMoved ? .fetchIndexRebuilt : .fetchIndexChanged
    case .setting(.renamingIdentifier, _, _): .renamingIdentifierChanged
    case .setting(.className, _, _): .classChanged
    case .setting(.userInfo, _, _): .userInfoChanged
    case .setting: .modelSettingChanged
    }
}

/// Whether a property that an abstract entity lost continues in all entities below it that have rows.
private func goesDown(_ name: String, from pair: EntityPair, _ matching: ModelMatching) -> Bool {
    guard pair.from.isAbstract else { return false }
    return matching.entityPairs.allSatisfy { other in
        guard !other.from.isAbstract, matching.from.isEntity(other.from, kindOf: pair.from) else {
            return true
        }
        return matching.attributes(of: other).continues(name, of: pair.from)
            || matching.relationships(of: other).continues(name, of: pair.from)
    }
}

extension PropertyMatching {
    fileprivate func continues(_ name: String, of entity: Entity) -> Bool {
        pairs.contains { $0.from.property.name == name && $0.from.declaredBy == entity.name }
    }
}

/// Whether rows without a value get one that a uniqueness constraint forbids to repeat.
private func fillsUnique(_ pair: PropertyPair<Attribute>, _ matching: ModelMatching) -> Bool {
    let attribute = pair.to.property
    guard attribute.defaultValue != nil, !pair.from.property.isTransient, !attribute.isTransient,
        let owner = matching.to.entity(pair.to.declaredBy)
    else { return false }
    return matching.to.model.entities.contains { entity in
        entity.uniquenessConstraints.contains { $0.properties.contains(attribute.name) }
            && (matching.to.isEntity(entity, kindOf: owner)
                || matching.to.isEntity(owner, kindOf: entity))
    }
}

/// Judges a new parent by the properties that come and go with it, which are not changes of the entity itself.
private func rulingOnParent(
    of pair: EntityPair,
    _ matching: ModelMatching,
    merged: Set<String>
) -> Ruling {
    guard !merged.contains(matching.newProperties.lists(of: pair.to).root) else {
        return .mergedHierarchies
    }
    let attributes = matching.attributes(of: pair)
    let relationships = matching.relationships(of: pair)
    var inherited: [Ruling] = []
    for attribute in attributes.added where attribute.declaredBy != pair.to.name {
        inherited.append(ruling(onAdding: attribute.property, to: pair, matching))
    }
    for attribute in attributes.removed where attribute.declaredBy != pair.from.name {
        inherited.append(ruling(onRemoving: attribute.property))
    }
    for relationship in relationships.added where relationship.declaredBy != pair.to.name {
        inherited.append(ruling(onAdding: relationship.property))
    }
    for relationship in relationships.removed where relationship.declaredBy != pair.from.name {
        inherited.append(ruling(onRemoving: relationship.property, matching))
    }
    let worst = inherited.max { $0.verdict < $1.verdict }
    guard let worst, worst.verdict > .lightweight else { return .parentChanged }
    var parent = Ruling.parentChanged
    parent.verdict = worst.verdict
    parent.effect += "; inherited properties: \(worst.effect)"
    parent.cure = worst.cure
    return parent
}

import ModelDiffing
import ObjectModel

/// Judges every difference by the table of verdicts.
///
/// A change that affects no version hash triggers nothing.
func judge(_ diff: ModelDiff, _ matching: ModelMatching) -> [Judgement] {
    let judging = Judging(
        matching: matching,
        merged: Set(mergedHierarchies(matching).map(\.root.name)),
        moved: Set(diff.movedEntities)
    )
    let cloudKit = CloudKitJudging(matching)
    return diff.changes.map { change in
        var row = judging.ruling(on: change)
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

private struct Judging {
    let matching: ModelMatching
    /// The root entities of hierarchies that are merged.
    let merged: Set<String>
    /// The entities whose version hashes change.
    let moved: Set<String>

    func ruling(on change: ModelChange) -> Ruling {
        switch change {
        case .entityAdded: .entityAdded
        case .entityRemoved(let entity) where entity.isAbstract: .abstractEntityRemoved
        case .entityRemoved:
            matching.to.model.entities.contains { $0.source.isOfSwift }
                ? .classRemoved : .entityRemoved
        case .entityChanged(let pair, let change): ruling(on: change, pair)
        case .attributeAdded(let attribute, let pair): ruling(onAdding: attribute, to: pair)
        case .attributeRemoved(let attribute, let pair):
            goesDown(attribute.name, from: pair) ? .attributeMoved : ruling(onRemoving: attribute)
        case .attributeChanged(let pair, .optionality(_, to: false)) where fillsUnique(pair):
            .uniqueBecomesMandatory
        case .attributeChanged(let pair, let change):
            ruling(
                on: change,
                from: pair.from.property,
                to: pair.to.property,
                isOptionalAsWhole: false
            )
        case .relationshipAdded(let relationship, _): ruling(onAdding: relationship)
        case .relationshipRemoved(let relationship, let pair):
            goesDown(relationship.name, from: pair)
                ? .relationshipMoved : ruling(onRemoving: relationship)
        case .relationshipChanged(let pair, let change): ruling(on: change, pair)
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

    private func ruling(on change: EntityChange, _ pair: EntityPair) -> Ruling {
        switch change {
        case .name: .entityRenamed
        case .abstractness(_, let isAbstract):
            isAbstract ? .entityBecomesAbstract : .entityBecomesConcrete
        case .parent(_, _, isRename: true): .parentRenamed
        case .parent: rulingOnParent(of: pair)
        case .uniquenessConstraintAdded(let constraint):
            rowsMeet(constraint.properties, pair, matching)
                ? .uniquenessConstraintMet : .uniquenessConstraintAdded
        case .uniquenessConstraintRemoved: .uniquenessConstraintRemoved
        case .setting(.versionHashModifier, _, _): .hashModifierChanged
        case .fetchIndexAdded, .fetchIndexRemoved, .fetchIndex, .compoundIndexes:
            moved.contains(pair.to.name) ? .fetchIndexRebuilt : .fetchIndexChanged
        case .setting(.renamingIdentifier, _, _): .renamingIdentifierChanged
        case .setting(.className, _, _): .classChanged
        case .setting(.userInfo, _, _): .userInfoChanged
        case .setting: .modelSettingChanged
        }
    }

    /// Whether a property that an abstract entity lost continues in all entities below it that have rows.
    private func goesDown(_ name: String, from pair: EntityPair) -> Bool {
        guard pair.from.isAbstract else { return false }
        return matching.entityPairs.allSatisfy { other in
            guard !other.from.isAbstract, matching.from.isEntity(other.from, kindOf: pair.from)
            else { return true }
            return matching.attributes(of: other).continues(name, of: pair.from)
                || matching.relationships(of: other).continues(name, of: pair.from)
        }
    }

    /// Whether rows without a value get one that a uniqueness constraint forbids to repeat.
    private func fillsUnique(_ pair: PropertyPair<Attribute>) -> Bool {
        let attribute = pair.to.property
        guard attribute.defaultValue != nil, !pair.from.property.isTransient,
            !attribute.isTransient, let owner = matching.to.entity(pair.to.declaredBy)
        else { return false }
        return matching.to.model.entities.contains { entity in
            entity.uniquenessConstraints.contains { $0.properties.contains(attribute.name) }
                && (matching.to.isEntity(entity, kindOf: owner)
                    || matching.to.isEntity(owner, kindOf: entity))
        }
    }

    /// Judges a new parent by the properties that come and go with it, which are not changes of the entity itself.
    private func rulingOnParent(of pair: EntityPair) -> Ruling {
        guard !merged.contains(matching.newProperties.lists(of: pair.to).root) else {
            return .mergedHierarchies
        }
        let attributes = matching.attributes(of: pair)
        let relationships = matching.relationships(of: pair)
        var inherited: [Ruling] = []
        for attribute in attributes.added where attribute.declaredBy != pair.to.name {
            inherited.append(ruling(onAdding: attribute.property, to: pair))
        }
        for attribute in attributes.removed where attribute.declaredBy != pair.from.name {
            inherited.append(ruling(onRemoving: attribute.property))
        }
        for relationship in relationships.added where relationship.declaredBy != pair.to.name {
            inherited.append(ruling(onAdding: relationship.property))
        }
        for relationship in relationships.removed where relationship.declaredBy != pair.from.name {
            inherited.append(ruling(onRemoving: relationship.property))
        }
        let worst = inherited.max { $0.verdict < $1.verdict }
        guard let worst, worst.verdict > .lightweight else { return .parentChanged }
        var parent = Ruling.parentChanged
        parent.verdict = worst.verdict
        parent.effect += "; inherited properties: \(worst.effect)"
        parent.cure = worst.cure
        return parent
    }

    private func ruling(onAdding attribute: Attribute, to pair: EntityPair) -> Ruling {
        // Objects of concrete entities below have the attribute, too.
        let hasNoRows = matching.entityPairs.allSatisfy {
            $0.from.isAbstract || !matching.from.isEntity($0.from, kindOf: pair.from)
        }
        if attribute.isTransient { return .transientAttributeAdded }
        if attribute.derivation != nil { return .derivedAttributeAdded }
        if attribute.type == .composite {
            let missing = missingElements(of: attribute, matching).first
            guard let missing, !hasNoRows else { return .compositeAttributeAdded }
            return .mandatoryElementAdded.with("name", missing.joined(separator: "."))
        }
        if case .moment(let text) = attribute.unstatedDefault, attribute.defaultValue != nil {
            return .momentAttributeAdded.with("value", text)
        }
        if attribute.defaultValue != nil { return .defaultedAttributeAdded }
        if let text = attribute.unreadDefault { return .unreadDefaultAdded.with("value", text) }
        if attribute.isOptional { return .optionalAttributeAdded }
        let ruling: Ruling =
            hasNoRows ? .mandatoryAttributeOfAbstractAdded : .mandatoryAttributeAdded
        return ruling.with("name", attribute.name)
    }

    private func ruling(onRemoving attribute: Attribute) -> Ruling {
        if attribute.isTransient { return .transientAttributeRemoved }
        return attribute.derivation == nil ? .attributeRemoved : .derivedAttributeRemoved
    }

    private func ruling(
        on change: AttributeChange,
        from: Attribute,
        to: Attribute,
        isOptionalAsWhole: Bool
    ) -> Ruling {
        switch change {
        case .name: .attributeRenamed
        case .declaringEntity: .attributeMoved
        // Nothing is stored on one side, so that nothing is converted.
        case .type where from.isTransient || to.isTransient: .typeChanged
        case .type(let old, let new): .of(AttributeConversion(from: old, to: new))
        case .optionality(_, let isOptional):
            isOptional
                ? .attributeBecomesOptional
                : isOptionalAsWhole ? .elementBecomesMandatory : rulingOnDuty(of: to)
        case .transience(_, let isTransient):
            isTransient ? .attributeBecomesTransient : rulingOnStoring(to)
        case .derivation(nil, to: _) where !from.isTransient: .attributeBecomesDerived
        case .derivation(_, to: nil): .derivedAttributeBecomesStored
        case .derivation: .derivationChanged
        case .element(_, let change): ruling(on: change, of: to)
        case .flag(let flag, _, _): .of(flag)
        case .setting(.versionHashModifier, _, _): .attributeHashModifierChanged
        case .defaultValue: .defaultChanged
        case .setting(.valueTransformerName, _, _): .valueTransformerChanged
        case .setting: .attributeSettingChanged
        }
    }

    private func rulingOnDuty(of attribute: Attribute) -> Ruling {
        if attribute.defaultValue != nil { return .attributeBecomesMandatory }
        if attribute.derivation != nil { return .derivedAttributeBecomesMandatory }
        if let text = attribute.unreadDefault {
            return .unreadDefaultBecomesMandatory.with("value", text)
        }
        return .mandatoryWithoutDefault.with("name", attribute.name)
    }

    private func rulingOnStoring(_ attribute: Attribute) -> Ruling {
        attribute.isOptional || attribute.defaultValue != nil || attribute.derivation != nil
            || attribute.unreadDefault != nil
            ? .attributeBecomesStored : .mandatoryAttributeAdded.with("name", attribute.name)
    }

    /// Judges elements of a composite, which are stored as attributes are; nothing public confirms that this is all.
    private func ruling(on change: AttributeChange.ElementChange, of composite: Attribute) -> Ruling
    {
        switch change {
        case .added(let element):
            return element.isOptional || element.defaultValue != nil || composite.isOptional
                ? .elementAdded : .mandatoryElementAdded.with("name", element.name)
        case .removed: return .elementRemoved
        case .changed(let from, let to, let change):
            var row = ruling(
                on: change,
                from: from,
                to: to,
                isOptionalAsWhole: composite.isOptional
            )
            if row.verdict == .lightweight { row.verdict = .lightweightThoughUndocumented }
            return row
        }
    }

    private func ruling(onAdding relationship: Relationship) -> Ruling {
        if relationship.isTransient { return .transientRelationshipAdded }
        return relationship.isToMany || relationship.isOptional
            ? .relationshipAdded : .mandatoryRelationshipAdded.with("name", relationship.name)
    }

    private func ruling(onRemoving relationship: Relationship) -> Ruling {
        guard !relationship.isTransient else { return .transientRelationshipRemoved }
        guard matching.inverseKeepsLinks(of: relationship) else { return .relationshipRemoved }
        return relationship.isOrdered ? .orderedSideRemoved : .sideRemoved
    }

    private func ruling(
        on change: RelationshipChange,
        _ pair: PropertyPair<Relationship>
    ) -> Ruling {
        let (from, to) = (pair.from.property, pair.to.property)
        switch change {
        case .name: return .relationshipRenamed
        case .declaringEntity: return .relationshipMoved
        case .destination(_, _, isRename: true): return .destinationRenamed
        case .destination: return rulingOnDestination(from, to)
        case .inverse(_, _, let isRename):
            if matching.losesOrderInManyToMany(from, to) { return .orderLost }
            if isRename { return .inverseRenamed }
            return matching.losesSharedDestinations(from, to) || matching.joinsOtherLinks(from, to)
                ? .inverseLimits : .inverseChanged
        case .cardinality(_, toToMany: true):
            if becomesOrderedManyToMany(from, to) { return .orderLost }
            return matching.losesSharedDestinations(from, to) ? .inverseLimits : .becomesToMany
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

    private func rulingOnDestination(_ from: Relationship, _ to: Relationship) -> Ruling {
        switch DestinationReach(from: from, to: to, matching) {
        case .all: .destinationWidened
        case .some: .destinationNarrowed
        case .none where !to.isOptional && !to.isToMany:
            .mandatoryDestinationReplaced.with("name", to.name)
        case .none: .destinationReplaced
        }
    }

    /// Whether both sides are ordered to-many afterwards, and the inverse was so before: its order is lost.
    private func becomesOrderedManyToMany(_ from: Relationship, _ to: Relationship) -> Bool {
        guard let old = matching.from.inverse(of: from)?.0, let new = matching.to.inverse(of: to)?.0
        else { return false }
        return old.isToMany && old.isOrdered && new.isToMany && new.isOrdered
    }
}

extension PropertyMatching {
    fileprivate func continues(_ name: String, of entity: Entity) -> Bool {
        pairs.contains { $0.from.property.name == name && $0.from.declaredBy == entity.name }
    }
}

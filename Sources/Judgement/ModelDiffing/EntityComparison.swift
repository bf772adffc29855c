import ObjectModel

struct EntityComparison {
    var changes: [ModelChange]
    var suspicions: [RenameSuspicion]

    init(_ pair: EntityPair, _ matching: ModelMatching, reported: inout Set<[String]>) {
        guard !matching.areLinksUntouched(of: pair) else {
            (changes, suspicions) = ([], [])
            return
        }
        changes = entityChanges(pair, matching).map { .entityChanged(pair, $0) }
        let isUntouched =
            matching.isUntouched(pair)
            && !pair.from.relationships.contains { exchangesInverse($0, $0, matching) }
        guard !isUntouched else {
            suspicions = []
            return
        }
        let attributes = matching.attributes(of: pair)
        let relationships = matching.relationships(of: pair)
        let fetched = matching.fetchedProperties(of: pair)
        changes += attributes.removed(from: pair).map { .attributeRemoved($0, in: pair) }
        changes += attributes.added(to: pair).map { .attributeAdded($0, in: pair) }
        changes += attributes.ownPairs(of: pair, matching, reported: &reported).flatMap {
            properties in
            let (from, to) = (properties.from.property, properties.to.property)
            let moves = movedFrom(properties, matching)
                .map { AttributeChange.declaringEntity(from: $0.from, to: $0.to) }
            let elements = elementChanges(from: from, to: to, matching)
            return (moves + attributeChanges(from: from, to: to, elements: elements))
                .map { ModelChange.attributeChanged(properties, $0) }
        }
        changes += relationships.removed(from: pair).map { .relationshipRemoved($0, in: pair) }
        changes += relationships.added(to: pair).map { .relationshipAdded($0, in: pair) }
        changes += relationships.ownPairs(of: pair, matching, reported: &reported).flatMap {
            properties in
            let moves = movedFrom(properties, matching)
                .map { RelationshipChange.declaringEntity(from: $0.from, to: $0.to) }
            let (from, to) = (properties.from.property, properties.to.property)
            return (moves + relationshipChanges(from: from, to: to, matching))
                .map { ModelChange.relationshipChanged(properties, $0) }
        }
        changes += fetched.removed(from: pair).map {
            partChange(.fetchedProperty, $0, nil, of: pair.from.name, in: pair)
        }
        changes += fetched.added(to: pair).map {
            partChange(.fetchedProperty, nil, $0, of: pair.to.name, in: pair)
        }
        changes += fetched.ownPairs(of: pair, matching, reported: &reported)
            .filter { $0.from.property != $0.to.property }
            .map {
                partChange(.fetchedProperty, $0.from.property, $0.to.property, of: $0.to.declaredBy)
            }
        suspicions = propertySuspicions(pair, attributes, relationships, matching)
    }
}

extension ModelMatching {
    package func conflicts(of pair: EntityPair) -> [MatchConflict] {
        own(
            attributes(of: pair).conflicts + relationships(of: pair).conflicts
                + fetchedProperties(of: pair).conflicts,
            pair
        )
    }
}

/// Leaves out inherited conflicts, which are reported where they are declared.
private func own(_ conflicts: [MatchConflict], _ pair: EntityPair) -> [MatchConflict] {
    conflicts.filter { $0.entity == ($0.side == .from ? pair.from.name : pair.to.name) }
}

private func movedFrom<Value: Property>(
    _ pair: PropertyPair<Value>,
    _ matching: ModelMatching
) -> [(from: String, to: String)] {
    matching.isSameEntity(pair.from.declaredBy, pair.to.declaredBy)
        ? [] : [(pair.from.declaredBy, pair.to.declaredBy)]
}

extension PropertyMatching {
    func removed(from pair: EntityPair) -> [Value] {
        removed.filter { $0.declaredBy == pair.from.name }.map { $0.property }.sorted {
            $0.name < $1.name
        }
    }

    func added(to pair: EntityPair) -> [Value] {
        added.filter { $0.declaredBy == pair.to.name }.map { $0.property }.sorted {
            $0.name < $1.name
        }
    }

    /// The pairs to compare at this pair of entities, by the name of the new property.
    ///
    /// Those that the new entity declares, and inherited ones that moved: up from the old entity, where other
    /// sub-entities may have had nothing to move, or from one parent to another. Moved pairs go into `told`, so that
    /// each is compared once.
    func ownPairs(
        of pair: EntityPair,
        _ matching: ModelMatching,
        reported: inout Set<[String]>
    ) -> [PropertyPair<Value>] {
        let oldParent = matching.from.parent(of: pair.from)?.name
        let newParent = matching.to.parent(of: pair.to)?.name
        let hasNewParent = !matching.isSameEntity(oldParent, newParent)
        return pairs.filter { properties in
            let (from, to) = (properties.from.declaredBy, properties.to.declaredBy)
            guard !matching.isSameEntity(from, to) else { return to == pair.to.name }
            guard hasNewParent || from == pair.from.name || to == pair.to.name else { return false }
            let names = [properties.from.property.name, properties.to.property.name]
            return reported.insert(["\(Value.self)", from, to] + names).inserted
        }.sorted { $0.to.property.name < $1.to.property.name }
    }
}

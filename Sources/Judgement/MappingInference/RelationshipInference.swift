import ModelDiffing
import ObjectModel

extension PairInference {
    /// Maps every stored relationship of a continued entity, and notes faults, risks and losses.
    mutating func relationshipMappings() -> [RelationshipMapping] {
        guard !matching.areLinksUntouched(of: pair) else { return copies(pair.to) }
        let relationships = matching.relationships(of: pair)
        var mappings: [RelationshipMapping] = []
        let unsourced =
            relationships.added + relationships.pairs.filter { !$0.from.isStored }.map(\.to)
        for relationship in unsourced where relationship.isStored {
            if !relationship.property.isOptional, !relationship.property.isToMany {
                note(.nullInMandatoryRelationship, to: relationship.reference)
            }
            mappings.append(RelationshipMapping(destination: relationship.reference, source: nil))
        }
        for properties in relationships.pairs
        where properties.from.isStored && properties.to.isStored {
            mappings.append(mapping(properties))
        }
        let dropped =
            relationships.removed.filter(\.isStored)
            + relationships.pairs.filter { $0.from.isStored && !$0.to.isStored }.map(\.from)
        for relationship in dropped {
            if !matching.inverseKeepsLinks(of: relationship.property) {
                note(.removedRelationship, relationship.reference)
            } else if relationship.property.isOrdered {
                note(.orderLost, relationship.reference, to: relationship.reference)
            }
        }
        return mappings
    }

    private mutating func mapping(_ properties: PropertyPair<Relationship>) -> RelationshipMapping {
        let (from, to) = (properties.from.property, properties.to.property)
        let (source, destination) = (properties.from.reference, properties.to.reference)
        let isMandatory = !to.isOptional && !to.isToMany
        switch DestinationReach(from: from, to: to, matching) {
        case .all:
            check(properties)
            return RelationshipMapping(destination: destination, source: source)
        case .some(let entities):
            check(properties)
            noteOutOfReach(properties, beside: entities, isMandatory: isMandatory)
            return RelationshipMapping(
                destination: destination,
                source: source,
                reachableEntities: entities
            )
        case .none:
            // It is new, as one of another name would be.
            if isMandatory {
                findings.refusals.append(.mandatoryRelationship(properties.to, matching))
            }
            noteOutOfReach(properties, beside: [], isMandatory: false)
            note(.removedRelationship, source)
            return RelationshipMapping(destination: destination, source: nil)
        }
    }

    /// Notes that links to some destinations are dropped.
    private mutating func noteOutOfReach(
        _ properties: PropertyPair<Relationship>,
        beside reachable: [String],
        isMandatory: Bool
    ) {
        note(
            .destinationsOutOfReach(reachableEntities: reachable, isMandatory: isMandatory),
            properties.from.reference,
            to: properties.to.reference
        )
    }

    private mutating func check(_ properties: PropertyPair<Relationship>) {
        let (from, to) = (properties.from.property, properties.to.property)
        let (source, destination) = (properties.from.reference, properties.to.reference)
        if from.isToMany, !to.isToMany { note(.toManyBecomesToOne, source, to: destination) }
        if matching.losesSharedDestinations(from, to) || matching.joinsOtherLinks(from, to) {
            note(.sharedDestination, source, to: destination)
        }
        if matching.losesOrderInManyToMany(from, to) {
            note(.orderLostInManyToMany, source, to: destination)
        } else if from.isToMany, from.isOrdered, !to.isOrdered, to.isToMany {
            note(.orderLost, source, to: destination)
        }
        if hasLowerLimit(from, to), let most = to.limit {
            note(.tooManyLinks(most: most), source, to: destination)
        }
        if !to.isOptional, !to.isToMany, from.isOptional || from.isToMany {
            note(.nullInMandatoryRelationship, source, to: destination)
        }
    }
}

private func copies(_ entity: Entity) -> [RelationshipMapping] {
    entity.relationships.indices.compactMap { index in
        guard !entity.relationships[index].isTransient else { return nil }
        let name = entity.relationships[index].name
        let place = PropertyReference(entity: entity.name, name: name)
        return RelationshipMapping(destination: place, source: place)
    }
}

extension ModelMatching {
    /// Whether a removed to-many relationship leaves its links to its inverse: they are in the column of that, which is
    /// to-one and stays.
    ///
    /// Links that the inverse cannot reach are reported for the inverse.
    func inverseKeepsLinks(of relationship: Relationship) -> Bool {
        guard relationship.isToMany, let (inverse, owner) = self.from.inverse(of: relationship),
            !inverse.isToMany,
            let pair = entityPairs.first(where: { $0.from.name == owner.name }),
            let sides = relationships(of: pair).pairs.first(where: {
                $0.from.property.name == inverse.name
            }), sides.from.isStored, sides.to.isStored, !sides.to.property.isToMany
        else { return false }
        if case .none = DestinationReach(from: inverse, to: sides.to.property, self) {
            return false
        }
        return true
    }

    /// Whether a relationship stays ordered but changes from one-to-many to many-to-many.
    ///
    /// Core Data keeps the links and loses their order: DuckDuckGo's `favoriteFolders` reads it beforehand and writes
    /// it back (MigrationBehaviour, "Changes").
    func losesOrderInManyToMany(_ from: Relationship, _ to: Relationship) -> Bool {
        guard from.isToMany, from.isOrdered, to.isToMany, to.isOrdered,
            let old = self.from.inverse(of: from)?.0, let new = self.to.inverse(of: to)?.0
        else { return false }
        return !old.isToMany && new.isToMany
    }

    /// Whether several objects could have the same destination, and now only one can.
    ///
    /// That is so when the inverse is to-one, and when a to-many relationship has none: then the destination's row has
    /// room for one owner. An inverse that itself went from to-many to to-one is reported already.
    func losesSharedDestinations(_ from: Relationship, _ to: Relationship) -> Bool {
        func mayShare(_ relationship: Relationship, _ inverse: Relationship?) -> Bool {
            inverse?.isToMany ?? !relationship.isToMany
        }
        let old = self.from.inverse(of: from)?.0
        let new = self.to.inverse(of: to)?.0
        guard mayShare(from, old), !mayShare(to, new) else { return false }
        guard let old, let new else { return true }
        return old.matchingIdentifier != new.matchingIdentifier
    }

    /// Whether a relationship gets an inverse that had links of its own, which may differ.
    ///
    /// The inverse's links are kept where it is to-one and the other to-many, as they are in its column.
    func joinsOtherLinks(_ from: Relationship, _ to: Relationship) -> Bool {
        guard let (new, owner) = self.to.inverse(of: to), to.isToMany || !new.isToMany,
            let source = source(of: new, declaredBy: owner), source.isStored,
            !isInverse(source, of: from)
        else { return false }
        // A relationship with a new destination brings no links.
        if case .none = DestinationReach(from: source.property, to: new, self) { return false }
        return true
    }
}

extension Relationship {
    fileprivate var limit: Int? {
        guard isToMany, let maxCount, maxCount > 0 else { return isToMany ? nil : 1 }
        return maxCount
    }
}

func hasLowerLimit(_ from: Relationship, _ to: Relationship) -> Bool {
    guard to.isToMany, from.isToMany, let most = to.limit else { return false }
    return most < from.limit ?? .max
}

/// The objects to which links may still lead when the destination entity of a relationship changes.
///
/// evidence: it is on record that the change is legal ([TEST] artsy, [APP] Nova, MigrationBehaviour, "Changes"); which
/// links are kept is inferred.
enum DestinationReach {
    /// All former destinations.
    case all
    /// Those of some entities of the old version.
    case some([String])
    /// None: the relationship is new.
    case none

    init(from: Relationship, to: Relationship, _ matching: ModelMatching) {
        let isSame = matching.isSameEntity(from.destinationEntity, to.destinationEntity)
        // Nothing below the entity can be out of reach.
        if isSame, let name = from.destinationEntity, matching.from.subentityNames(of: name).isEmpty
        {
            self = .all
            return
        }
        guard let old = matching.from.destination(of: from),
            let new = matching.to.destination(of: to)
        else {
            self = isSame ? .all : .none
            return
        }
        let remaining = matching.from.hierarchy(of: old).filter { entity in
            matching.destinationName(ofSource: entity.name) != nil
        }
        let reachable = remaining.filter { entity in
            matching.destinationName(ofSource: entity.name).flatMap(matching.to.entity)
                .map { matching.to.isEntity($0, kindOf: new) } == true
        }
        let holdsObjects = reachable.contains { !$0.isAbstract }
        // Even for the same entity some may be out of reach: sub-entities that got a hierarchy of their own.
        if holdsObjects || isSame, reachable.count == remaining.count {
            self = .all
        } else {
            self = holdsObjects || isSame ? .some(reachable.map(\.name).sorted()) : .none
        }
    }
}

import ModelDiffing
import ObjectModel

/// Maps every stored relationship of a continued entity, and notes faults, risks and losses.
func relationshipMappings(
    _ pair: EntityPair,
    _ matching: ModelMatching,
    _ findings: inout Findings
) -> [RelationshipMapping] {
    guard !matching.areLinksUntouched(of: pair) else { return copies(pair.to) }
    let relationships = matching.relationships(of: pair)
    var mappings: [RelationshipMapping] = []
    let unsourced =
        relationships.added + relationships.pairs.filter { !$0.from.isStored }.map(\.to)
    for relationship in unsourced where relationship.isStored {
        noteMissing(relationship, pair, &findings)
        mappings.append(RelationshipMapping(destination: relationship.reference, source: nil))
    }
    for properties in relationships.pairs where properties.from.isStored && properties.to.isStored {
        mappings.append(mapping(properties, pair, matching, &findings))
    }
    let dropped =
        relationships.removed.filter(\.isStored)
        + relationships.pairs.filter { $0.from.isStored && !$0.to.isStored }.map(\.from)
    if !pair.from.isAbstract {
        findings.risks += dropped.compactMap { relationship in
            guard inverseKeepsLinks(of: relationship.property, matching) else {
                return RowRisk(.removedRelationship, of: pair.from.name, relationship.reference)
            }
            guard relationship.property.isOrdered else { return nil }
            return RowRisk(
                .orderLost,
                of: pair.from.name,
                relationship.reference,
                to: pair.to.name,
                relationship.reference
            )
        }
    }
    return mappings
}

private func copies(_ entity: Entity) -> [RelationshipMapping] {
    entity.relationships.indices.compactMap { index in
        guard !entity.relationships[index].isTransient else { return nil }
        let name = entity.relationships[index].name
        let place = MappedProperty(name: name, declaredBy: entity.name)
        return RelationshipMapping(destination: place, source: place)
    }
}

/// Whether a removed to-many relationship leaves its links to its inverse: they are in the column of that, which is
/// to-one and stays.
///
/// Links that the inverse cannot reach are reported for the inverse.
func inverseKeepsLinks(of relationship: Relationship, _ matching: ModelMatching) -> Bool {
    guard relationship.isToMany, let (inverse, owner) = matching.from.inverse(of: relationship),
        !inverse.isToMany,
        let pair = matching.entityPairs.first(where: { $0.from.name == owner.name }),
        let sides = matching.relationships(of: pair).pairs.first(where: {
            $0.from.property.name == inverse.name
        }), sides.from.isStored, sides.to.isStored, !sides.to.property.isToMany
    else { return false }
    if case .none = DestinationReach(from: inverse, to: sides.to.property, matching) {
        return false
    }
    return true
}

private func mapping(
    _ properties: PropertyPair<Relationship>,
    _ pair: EntityPair,
    _ matching: ModelMatching,
    _ findings: inout Findings
) -> RelationshipMapping {
    let (from, to) = (properties.from.property, properties.to.property)
    let (source, destination) = (properties.from.reference, properties.to.reference)
    switch DestinationReach(from: from, to: to, matching) {
    case .all:
        check(properties, pair, matching, &findings)
        return RelationshipMapping(destination: destination, source: source)
    case .some(let entities):
        check(properties, pair, matching, &findings)
        let isMandatory = !to.isOptional && !to.isToMany
        noteOutOfReach(properties, pair, beside: entities, isMandatory: isMandatory, &findings)
        return RelationshipMapping(
            destination: destination,
            source: source,
            reachableEntities: entities
        )
    case .none:
        // It is new, as one of another name would be.
        if !to.isOptional, !to.isToMany {
            findings.refusals.append(.mandatoryRelationship(properties.to, matching))
        }
        noteOutOfReach(properties, pair, beside: [], isMandatory: false, &findings)
        if !pair.from.isAbstract {
            findings.risks.append(RowRisk(.removedRelationship, of: pair.from.name, source))
        }
        return RelationshipMapping(destination: destination, source: nil)
    }
}

/// Notes that objects lack a mandatory value; an abstract entity has no rows.
private func noteMissing(
    _ relationship: DeclaredProperty<Relationship>,
    _ pair: EntityPair,
    _ findings: inout Findings
) {
    guard !pair.from.isAbstract, !relationship.property.isOptional, !relationship.property.isToMany
    else { return }
    findings.risks.append(
        RowRisk(
            .nullInMandatoryRelationship,
            of: pair.from.name,
            to: pair.to.name,
            relationship.reference
        )
    )
}

/// Notes that links to some destinations are dropped; an abstract entity has no rows.
private func noteOutOfReach(
    _ properties: PropertyPair<Relationship>,
    _ pair: EntityPair,
    beside reachable: [String],
    isMandatory: Bool,
    _ findings: inout Findings
) {
    guard !pair.from.isAbstract else { return }
    findings.risks.append(
        RowRisk(
            .destinationsOutOfReach(reachableEntities: reachable, isMandatory: isMandatory),
            of: pair.from.name,
            properties.from.reference,
            to: pair.to.name,
            properties.to.reference
        )
    )
}

private func check(
    _ properties: PropertyPair<Relationship>,
    _ pair: EntityPair,
    _ matching: ModelMatching,
    _ findings: inout Findings
) {
    // An abstract entity has no rows; its sub-entities have their own mappings.
    guard !pair.from.isAbstract else { return }
    let (from, to) = (properties.from.property, properties.to.property)
    func note(_ kind: RowRisk.Kind) {
        let (source, destination) = (properties.from.reference, properties.to.reference)
        findings.risks.append(
            RowRisk(kind, of: pair.from.name, source, to: pair.to.name, destination)
        )
    }
    if from.isToMany, !to.isToMany { note(.toManyBecomesToOne) }
    if losesSharedDestinations(from, to, matching) || joinsOtherLinks(from, to, matching) {
        note(.sharedDestination)
    }
    if losesOrderInManyToMany(from, to, matching) {
        note(.orderLostInManyToMany)
    } else if from.isToMany, from.isOrdered, !to.isOrdered, to.isToMany {
        note(.orderLost)
    }
    if hasLowerLimit(from, to), let most = to.limit { note(.tooManyLinks(most: most)) }
    if !to.isOptional, !to.isToMany, from.isOptional || from.isToMany {
        note(.nullInMandatoryRelationship)
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

/// Whether a relationship stays ordered but changes from one-to-many to many-to-many.
///
/// Core Data keeps the links and loses their order: DuckDuckGo's `favoriteFolders` reads it beforehand and writes it
/// back (MigrationBehaviour, "Changes").
func losesOrderInManyToMany(
    _ from: Relationship,
    _ to: Relationship,
    _ matching: ModelMatching
) -> Bool {
    guard from.isToMany, from.isOrdered, to.isToMany, to.isOrdered,
        let old = matching.from.inverse(of: from)?.0, let new = matching.to.inverse(of: to)?.0
    else { return false }
    return !old.isToMany && new.isToMany
}

/// Whether several objects could have the same destination, and now only one can.
///
/// That is so when the inverse is to-one, and when a to-many relationship has none: then the destination's row has room
/// for one owner. An inverse that itself went from to-many to to-one is reported already.
func losesSharedDestinations(
    _ from: Relationship,
    _ to: Relationship,
    _ matching: ModelMatching
) -> Bool {
    func mayShare(_ relationship: Relationship, _ inverse: Relationship?) -> Bool {
        inverse?.isToMany ?? !relationship.isToMany
    }
    let old = matching.from.inverse(of: from)?.0
    let new = matching.to.inverse(of: to)?.0
    guard mayShare(from, old), !mayShare(to, new) else { return false }
    guard let old, let new else { return true }
    return old.matchingIdentifier != new.matchingIdentifier
}

/// Whether a relationship gets an inverse that had links of its own, which may differ.
///
/// The inverse's links are kept where it is to-one and the other to-many, as they are in its column.
func joinsOtherLinks(_ from: Relationship, _ to: Relationship, _ matching: ModelMatching) -> Bool {
    guard let (new, owner) = matching.to.inverse(of: to), to.isToMany || !new.isToMany,
        let source = matching.source(of: new, declaredBy: owner), source.isStored,
        !matching.isInverse(source, of: from)
    else { return false }
    // A relationship with a new destination brings no links.
    if case .none = DestinationReach(from: source.property, to: new, matching) { return false }
    return true
}

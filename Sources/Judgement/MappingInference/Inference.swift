package import ModelDiffing
package import ObjectModel

/// Infers the mapping from one version of a model to another, as Core Data does for a lightweight step.
///
/// Values only: neither a store nor its rows are looked at; what they decide comes as `risks`. What Core
/// Data would refuse comes as `refusals`, never as an error thrown: the rest of the mapping still says
/// what would happen.
package func inferMapping(
    from: ManagedObjectModel,
    to: ManagedObjectModel,
    options: InferenceOptions = InferenceOptions()
) -> InferredMapping {
    inferMapping(from: ModelVersion(model: from), to: ModelVersion(model: to), options: options)
}

/// Infers the mapping between two versions, whose hashes may be known already.
package func inferMapping(
    from: ModelVersion,
    to: ModelVersion,
    options: InferenceOptions = InferenceOptions()
) -> InferredMapping {
    let matching = ModelMatching(from: from, to: to)
    return inferMapping(matching, diff(matching), options: options)
}

/// Infers the mapping between two versions that are compared already.
///
/// - Parameters:
///   - matching: The two versions.
///   - diff: What differs between them.
///   - options: What may be done beyond what is on record.
/// - Returns: the mapping, with what is wrong, at stake and lost.
package func inferMapping(
    _ matching: ModelMatching,
    _ diff: ModelDiff,
    options: InferenceOptions = InferenceOptions()
) -> InferredMapping {
    var findings = Findings()
    findings.refusals = diff.conflicts.map(Refusal.init) + hierarchyRefusals(matching)
    if matching.isTruncated { findings.refusals.append(.tooLarge) }
    let moved = Set(diff.movedEntities)
    let mappings = matching.entityPairs.map { pair in
        let kind: EntityMapping.Kind = moved.contains(pair.to.name) ? .transform : .copy
        return mapping(kind, pair, matching, options, &findings)
    }
    var outline = outline(mappings, findings, matching)
    outline.judgements = judge(diff, matching, options)
    return outline
}

/// Infers a mapping without a look at single differences, and only if nothing is refused.
///
/// For searching among many steps: most that are refused are so for the same reason, which is looked at first.
///
/// - Parameters:
///   - matching: The two versions.
///   - suspect: The entity, by its name in the new version, that was refused the last time.
///   - options: What may be done beyond what is on record.
/// - Returns: the mapping, all of whose entities count as changed and which judges nothing; `nil` for a refused step.
package func inferableMapping(
    _ matching: ModelMatching,
    suspect: inout String?,
    options: InferenceOptions = InferenceOptions()
) -> InferredMapping? {
    guard !matching.isTruncated, matching.entityConflicts.isEmpty,
        mergedHierarchies(matching).isEmpty
    else { return nil }
    var findings = Findings()
    var mappings: [EntityMapping] = []
    let pairs = matching.entityPairs
    for pair in pairs.filter({ $0.to.name == suspect }) + pairs.filter({ $0.to.name != suspect }) {
        mappings.append(mapping(.transform, pair, matching, options, &findings))
        guard findings.refusals.isEmpty, matching.conflicts(of: pair).isEmpty else {
            suspect = pair.to.name
            return nil
        }
    }
    return outline(mappings, findings, matching)
}

private func outline(
    _ pairs: [EntityMapping],
    _ findings: Findings,
    _ matching: ModelMatching
) -> InferredMapping {
    var mappings = matching.addedEntities.map { addition($0, matching) } + pairs
    mappings.sort { ($0.destinationEntity ?? "") < ($1.destinationEntity ?? "") }
    mappings += matching.removedEntities.map {
        EntityMapping(kind: .remove, sourceEntity: $0.name, destinationEntity: nil)
    }
    return InferredMapping(
        entityMappings: mappings,
        refusals: unique(findings.refusals),
        risks: findings.risks
            // An abstract entity has no objects to lose.
            + matching.removedEntities.filter { !$0.isAbstract }
            .map { .removedEntity(sourceEntity: $0.name) }
    )
}

/// What is noticed while the mappings are made.
struct Findings {
    var refusals: [Refusal] = []
    var risks: [RowRisk] = []
}

/// Inherited properties are met once for each entity; what is wrong with them is told once.
private func unique(_ refusals: [Refusal]) -> [Refusal] {
    var seen: Set<Refusal> = []
    return refusals.filter { seen.insert($0).inserted }
}

private func addition(_ entity: Entity, _ matching: ModelMatching) -> EntityMapping {
    let properties = matching.newProperties.lists(of: entity)
    return EntityMapping(
        kind: .add,
        sourceEntity: nil,
        destinationEntity: entity.name,
        attributeMappings: sorted(
            properties.attributes.filter(\.isStored).flatMap { additions($0, matching) }
        ),
        relationshipMappings: sorted(
            properties.relationships.filter(\.isStored).map {
                RelationshipMapping(destination: $0.reference, source: nil)
            }
        )
    )
}

private func mapping(
    _ kind: EntityMapping.Kind,
    _ pair: EntityPair,
    _ matching: ModelMatching,
    _ options: InferenceOptions,
    _ findings: inout Findings
) -> EntityMapping {
    if pair.to.isAbstract, !pair.from.isAbstract {
        findings.risks.append(
            .becomesAbstract(sourceEntity: pair.from.name, destinationEntity: pair.to.name)
        )
    }
    let attributes = attributeMappings(pair, matching, options, &findings)
    let relationships = relationshipMappings(pair, matching, &findings)
    findings.risks += uniquenessRisks(pair, matching, attributes, relationships)
    return EntityMapping(
        kind: kind,
        sourceEntity: pair.from.name,
        destinationEntity: pair.to.name,
        attributeMappings: sorted(attributes),
        relationshipMappings: sorted(relationships)
    )
}

private func sorted(_ mappings: [AttributeMapping]) -> [AttributeMapping] {
    mappings.sorted {
        guard $0.destination.name == $1.destination.name else {
            return $0.destination.name < $1.destination.name
        }
        return $0.elementPath.lexicographicallyPrecedes($1.elementPath)
    }
}

private func sorted(_ mappings: [RelationshipMapping]) -> [RelationshipMapping] {
    mappings.sorted { $0.destination.name < $1.destination.name }
}

extension DeclaredProperty {
    /// The property by its names.
    var reference: MappedProperty {
        MappedProperty(name: property.name, declaredBy: declaredBy)
    }

    /// Whether the property is stored.
    var isStored: Bool { !property.isTransient }
}

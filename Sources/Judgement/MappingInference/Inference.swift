import Diagnostics
package import ModelDiffing
package import ObjectModel

/// Infers the mapping from one version of a model to another, as Core Data does for a lightweight step.
///
/// Neither a store nor its rows are looked at; what they decide is in `risks`. What Core Data would refuse is in
/// `refusals`, never an error thrown: the rest of the mapping still tells what would happen.
package func inferMapping(from: ManagedObjectModel, to: ManagedObjectModel) -> InferredMapping {
    inferMapping(from: ModelVersion(model: from), to: ModelVersion(model: to))
}

/// Infers the mapping between two versions, whose hashes may be known already.
package func inferMapping(from: ModelVersion, to: ModelVersion) -> InferredMapping {
    InferredStep.between(from, to).mapping
}

/// Infers the mapping between matched versions; `diff` is made and judged when the judgements are first read.
package func inferMapping(
    _ matching: ModelMatching,
    _ diff: @autoclosure @escaping @Sendable () -> ModelDiff
) -> InferredMapping {
    var findings = Findings()
    findings.refusals = matching.conflicts.map(Refusal.init) + hierarchyRefusals(matching)
    if matching.isTruncated { findings.refusals.append(.tooLarge) }
    // Most entities of most steps are untouched: nothing is found about them.
    var known: [String: EntityMapping] = [:]
    for pair in matching.entityPairs where !matching.areLinksUntouched(of: pair) {
        known[pair.to.name] = mapping(pair, matching, &findings)
    }
    var outline = outline(findings, matching) { [known] in
        let moved = Set(matching.movedEntities)
        return matching.entityPairs.map { pair in
            var none = Findings()
            var item = known[pair.to.name] ?? mapping(pair, matching, &none)
            if !moved.contains(pair.to.name) { item.kind = .copy }
            return item
        }
    }
    outline.judged = Later { judge(diff(), matching) }
    return outline
}

/// Infers a mapping without a look at single differences, and only if nothing is refused.
///
/// For searches among many steps: most refused ones have the same reason, so that `suspect`, the entity refused last,
/// comes first. In the mapping all entities count as changed, and nothing is judged; `nil` for a refused step.
package func inferableMapping(
    _ matching: ModelMatching,
    suspect: inout String?
) -> InferredMapping? {
    guard !matching.isTruncated, matching.entityConflicts.isEmpty,
        mergedHierarchies(matching).isEmpty
    else { return nil }
    var findings = Findings()
    var mappings: [EntityMapping] = []
    let pairs = matching.entityPairs
    for pair in pairs.filter({ $0.to.name == suspect }) + pairs.filter({ $0.to.name != suspect }) {
        mappings.append(mapping(pair, matching, &findings))
        guard findings.refusals.isEmpty, matching.conflicts(of: pair).isEmpty else {
            suspect = pair.to.name
            return nil
        }
    }
    return outline(findings, matching) { [mappings] in mappings }
}

private func outline(
    _ findings: Findings,
    _ matching: ModelMatching,
    _ pairs: @escaping @Sendable () -> [EntityMapping]
) -> InferredMapping {
    let mappings = Later {
        (matching.addedEntities.map { addition($0, matching) } + pairs())
            .sorted { ($0.destinationEntity ?? "") < ($1.destinationEntity ?? "") }
            + matching.removedEntities.map {
                EntityMapping(kind: .remove, sourceEntity: $0.name, destinationEntity: nil)
            }
    }
    return InferredMapping(
        mappings: mappings,
        refusals: unique(findings.refusals),
        risks: findings.risks
            + matching.removedEntities.filter { !$0.isAbstract }
            .map { RowRisk(.removedEntity, of: $0.name) },
        mayFail: findings.risks.contains { $0.isFatal && !$0.isMetByCode(in: matching.to.model) }
    )
}

struct Findings {
    var refusals: [Refusal] = []
    var risks: [RowRisk] = []
}

/// Infers the mapping of one continued entity.
struct PairInference {
    let pair: EntityPair
    let matching: ModelMatching
    var findings = Findings()

    /// Notes what rows decide about properties of the old and the new entity.
    ///
    /// An abstract entity has no rows; its sub-entities have their own mappings.
    mutating func note(
        _ kind: RowRisk.Kind,
        _ source: PropertyReference? = nil,
        to destination: PropertyReference? = nil,
        at path: [String] = []
    ) {
        guard !pair.from.isAbstract else { return }
        let (old, new) = (pair.from.name, destination.map { _ in pair.to.name })
        findings.risks.append(RowRisk(kind, of: old, source, to: new, destination, at: path))
    }
}

/// Inherited properties are met once for each entity; their faults are reported once.
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

/// The mapping of a continued entity whose hash changes.
private func mapping(
    _ pair: EntityPair,
    _ matching: ModelMatching,
    _ findings: inout Findings
) -> EntityMapping {
    if pair.to.isAbstract, !pair.from.isAbstract {
        findings.risks.append(RowRisk(.becomesAbstract, of: pair.from.name, to: pair.to.name))
    }
    var inference = PairInference(pair: pair, matching: matching)
    let attributes = inference.attributeMappings()
    let relationships = inference.relationshipMappings()
    findings.refusals += inference.findings.refusals
    findings.risks += inference.findings.risks
    findings.risks += uniquenessRisks(pair, matching, attributes, relationships)
    return EntityMapping(
        kind: .transform,
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
    var reference: PropertyReference { PropertyReference(entity: declaredBy, name: property.name) }

    var isStored: Bool { !property.isTransient }
}

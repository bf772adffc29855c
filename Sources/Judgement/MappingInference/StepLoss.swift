package import Diagnostics
package import ModelDiffing
package import ObjectModel

/// Something that a step between two versions loses, or demands of rows.
///
/// Found without a store: what an inferred step drops, by the name of the entity or property. Names belong to the old
/// version for losses, and to the new one for what becomes mandatory.
package struct StepLoss: Sendable, Hashable {
    package enum Kind: Sendable, Hashable, CaseIterable {
        /// Objects, values, links or their order have no place any more.
        case dropped
        /// A value or a link becomes mandatory: Core Data fails for rows without it.
        case required
        /// Rows may forbid the step otherwise, for example with duplicates.
        case rows
    }

    /// The entity, or the property with the entity that declares it, such as `Stop.label`; of a constraint the properties
    /// that it makes unique, such as `Stop.line+place`.
    package var name: String
    /// Its other names: in the new version, in a sub-entity, or of the other side of a relationship.
    package var otherNames: [String]
    /// What is lost with it and not reported separately: links to the objects of a removed entity.
    package var consequences: [String]
    package var kind: Kind
    /// Lower case, no final period.
    package var effect: String
    /// The location in the new version, or of the entity that it would be in.
    package var location: FileLocation?
    package var oldLocation: FileLocation?
    package var risk: RowRisk

    package var names: [String] { [name] + otherNames }

    /// Whether an index may be violated by rows.
    package var isOfIndex: Bool {
        if case .newUniquenessConstraint = risk.kind { true } else { false }
    }
}

extension StepLoss {
    /// The loss of the objects of an entity that no mapping of the mapping model at a path takes.
    package init(leftOut entity: Entity, stays: Bool, byMappingModelAt path: String) {
        risk = RowRisk(stays ? .objectsLeftOut(by: .mapping) : .removedEntity, of: entity.name)
        (name, otherNames, consequences, kind) = (entity.name, [], [], .dropped)
        effect =
            risk.stepEffect
            ?? "the entity stays, but no mapping takes its objects, so they are dropped"
        (location, oldLocation) = (FileLocation(path: path), entity.source.element)
    }
}

/// Lists what an inferred step loses or demands of rows, each cause once, in the order of the mapping.
///
/// A relationship that is removed with its destination entity is not a separate loss, and the two sides of a relationship
/// are one loss.
package func stepLosses(_ matching: ModelMatching, _ mapping: InferredMapping) -> [StepLoss] {
    guard mapping.risks.contains(where: { $0.lossKind != nil }) else { return [] }
    var list = LossList(matching, mapping)
    for risk in mapping.risks { list.add(risk) }
    return list.settled()
}

package func stepLosses(from source: ModelVersion, to target: ModelVersion) -> [StepLoss] {
    InferredStep.between(source, target).losses
}

private struct LossList {
    private let matching: ModelMatching
    private let judgements: [String: Judgement]
    private let continued: Set<PropertyReference>
    /// For each removed entity the one whose objects lose their links to it; none if objects of it stay.
    private let removedEntities: [String: String]
    private var losses: [StepLoss] = []
    private var indexes: [String: Int] = [:]

    init(_ matching: ModelMatching, _ mapping: InferredMapping) {
        self.matching = matching
        judgements = Dictionary(
            mapping.judgements.compactMap { item in item.change.subject.path.map { ($0, item) } },
            uniquingKeysWith: { $0.verdict >= $1.verdict ? $0 : $1 }
        )
        let attributes = mapping.entityMappings.flatMap(\.attributeMappings)
        continued = Set(attributes.compactMap(\.source))
        removedEntities = goneWith(matching)
    }

    mutating func add(_ risk: RowRisk) {
        guard let kind = risk.lossKind, let effect = risk.stepEffect else { return }
        if kind == .required, risk.isMetByCode(in: matching.to.model) { return }
        let name = name(of: risk, kind)
        let key = "\(kind) \(name)"
        // The agreement to a constraint is none to what else happens to its entity.
        let end = risk.isViolatedByAnyRows ? "" : risk.constraint ?? ""
        let otherNames = risk.names.map { $0 + end }
        if let index = indexes[key] {
            losses[index].otherNames += otherNames
            return
        }
        // What is new of a composite is judged as a whole.
        let whole = risk.destination?.description ?? name
        let judgement = (risk.names + [name, whole]).compactMap { judgements[$0] }.first
        indexes[key] = losses.count
        losses.append(
            StepLoss(
                name: name,
                otherNames: otherNames,
                consequences: [],
                kind: kind,
                effect: effect,
                location: judgement?.change.toLocation,
                oldLocation: judgement?.change.formerLocation,
                risk: risk
            )
        )
    }

    private func name(of risk: RowRisk, _ kind: StepLoss.Kind) -> String {
        let entity = risk.sourceEntity
        switch kind {
        case .dropped:
            guard let source = risk.source else { return entity }
            // A composite attribute that is removed completely is reported once, not by element.
            let path = continued.contains(source) ? risk.elementPath : []
            return (["\(source)"] + path).joined(separator: ".")
        case .required, .rows:
            guard let property = risk.destination else {
                return (risk.destinationEntity ?? entity) + (risk.constraint ?? "")
            }
            return (["\(property)"] + risk.elementPath).joined(separator: ".")
        }
    }

    /// Leaves out consequences of other losses, and duplicate names.
    func settled() -> [StepLoss] {
        var kept: [StepLoss] = []
        var consequences: [String: [String]] = [:]
        var pairs: [String: Int] = [:]
        for loss in losses {
            guard loss.risk.kind == .removedRelationship, let source = loss.risk.source,
                let relationship = matching.from.entity(source.entity)?.relationships
                    .first(where: { $0.name == source.name })
            else {
                kept.append(loss)
                continue
            }
            let end = relationship.destinationEntity ?? ""
            if let gone = removedEntities[end] {
                consequences[gone, default: []] += loss.names
                continue
            }
            if let index = pairs[loss.name] {
                kept[index].otherNames += loss.names
                continue
            }
            if let inverse = relationship.inverseName { pairs["\(end).\(inverse)"] = kept.count }
            kept.append(loss)
        }
        return kept.map { loss in
            var loss = loss
            var seen: Set<String> = [loss.name]
            loss.otherNames.removeAll { !seen.insert($0).inserted }
            if loss.risk.kind == .removedEntity {
                var reported: Set<String> = []
                loss.consequences = (consequences[loss.risk.sourceEntity] ?? []).filter {
                    reported.insert($0).inserted
                }
            }
            return loss
        }
    }
}

/// Finds for each removed entity with which one's objects the links to it go.
///
/// An abstract one has no objects: if sub-entities stay, links to these are separate losses.
private func goneWith(_ matching: ModelMatching) -> [String: String] {
    let removed = Set(matching.removedEntities.map(\.name))
    let graph = ModelGraph(matching.from.model)
    var gone: [String: String] = [:]
    for entity in matching.removedEntities {
        let objects = graph.hierarchy(of: entity).filter { !$0.isAbstract }.map(\.name)
        guard objects.allSatisfy(removed.contains) || !entity.isAbstract else { continue }
        gone[entity.name] = entity.isAbstract ? objects.first ?? entity.name : entity.name
    }
    return gone
}

extension RowRisk {
    /// The effect on rows; `nil` for what is found only in stores, which has no words here.
    fileprivate var lossKind: StepLoss.Kind? {
        switch kind {
        case .mandatoryWithoutDefault, .nullInMandatoryAttribute, .nullInMandatoryRelationship:
            .required
        case .newUniquenessConstraint where isViolatedByAnyRows: .required
        case .newUniquenessConstraint, .becomesAbstract, .tooManyLinks,
            .destinationsOutOfReach(_, isMandatory: true):
            .rows
        default: stepEffect.map { _ in .dropped }
        }
    }

    /// Lower case, no final period.
    fileprivate var stepEffect: String? {
        switch kind {
        case .removedEntity: "the entity is dropped with its objects"
        case .removedAttribute(.removed), .removedAttribute(.removedWithFiles):
            "the attribute is dropped with its values"
        case .removedAttribute(.transient):
            "the attribute becomes transient, and its values are dropped"
        case .removedAttribute(.derived):
            "the attribute becomes derived; its stored values are replaced by computed ones"
        case .removedRelationship: "the relationship is dropped with its links"
        case .toManyBecomesToOne:
            "the relationship becomes to-one: each object keeps its first link, the others are dropped"
        case .sharedDestination:
            "where several links lead to one object, or the two sides disagree, only one link is kept"
        case .narrowingConversion:
            "the type becomes narrower: values that do not fit become the nearest that fits"
        case .orderLostInManyToMany, .orderLost: "the order of the links is dropped"
        case .destinationsOutOfReach(_, let isMandatory):
            isMandatory
                ? "the destination changes: rows with links to other entities lose a mandatory link"
                : "the destination changes: links to objects of other entities are dropped"
        case .mandatoryWithoutDefault:
            "a new mandatory attribute has no default: stores with rows fail with 134110"
        case .nullInMandatoryAttribute:
            "the attribute becomes mandatory without a default: rows without a value fail with 134110"
        case .nullInMandatoryRelationship where source == nil:
            "a new mandatory relationship has no destination: stores with rows fail with 134110"
        case .nullInMandatoryRelationship:
            "the relationship becomes mandatory: rows without a link may fail with 134110"
        case .newUniquenessConstraint where isViolatedByAnyRows:
            "a new unique attribute has one default for all rows: stores with two fail with 134110"
        case .newUniquenessConstraint:
            "a new uniqueness constraint: stores with duplicates fail with 134110"
        case .becomesAbstract:
            "the entity becomes abstract: its own objects, not those of sub-entities, become invalid"
        case .tooManyLinks: "the maximum becomes smaller: objects with more links cannot be saved"
        case .linksToRemovedObjects, .objectsLeftOut, .missingExternalFile, .rowsOfNoEntity,
            .recordsOfRemovedObjects, .valuesOfOtherType, .derivationNotComputed, .expressionLoss,
            .mergedObjects, .wrongEntityNumbers, .noKeysLeft, .foreignObject:
            nil
        }
    }
}

extension ModelChange {
    /// The location in the old version; `nil` for what is new, which has only the entity that it is added to there.
    fileprivate var formerLocation: FileLocation? {
        switch self {
        case .attributeAdded, .relationshipAdded, .attributeChanged(_, .element(_, .added)): nil
        case .part(let part): part.action == .added ? nil : fromLocation
        case .entityAdded, .entityRemoved, .entityChanged, .attributeRemoved, .attributeChanged,
            .relationshipRemoved, .relationshipChanged, .setting:
            fromLocation
        }
    }
}

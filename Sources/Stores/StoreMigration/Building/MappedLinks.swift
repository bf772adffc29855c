import MappingInference
import ModelLanguage
import ObjectModel
import StoreFormat

/// The relationships whose links are not merely carried over, each with its inverse.
///
/// Their objects do not all keep their keys, or somebody wrote down where the links come from.
func mappedRelationships(
    of correspondence: EntityCorrespondence,
    _ sources: [MappedProperty: [PropertyReference]]
) -> Set<PropertyReference> {
    let targets = correspondence.targets
    let restless = restlessEntities(of: targets)
    var mapped: Set<PropertyReference> = []
    for target in targets {
        for mapping in target.mapping.relationshipMappings {
            let isPlain =
                target.keepsKeys && !restless.contains(target.source.name)
                && correspondence.carriesOver(mapping, restless, sources)
            guard !isPlain else { continue }
            let reference = mapping.destination.reference
            mapped.insert(reference)
            if let inverse = correspondence.destinationGraph.inverse(of: reference) {
                mapped.insert(inverse)
            }
        }
    }
    return mapped
}

/// The entities of the old version whose objects do not all go on, each as one object with its key.
private func restlessEntities(of targets: [EntityCorrespondence.Target]) -> Set<String> {
    var seen: Set<String> = []
    var restless: Set<String> = []
    for target in targets {
        let isFirst = seen.insert(target.source.name).inserted
        if !isFirst || !target.keepsKeys || target.taken != nil {
            restless.insert(target.source.name)
        }
    }
    return restless
}

extension EntityCorrespondence {
    fileprivate func carriesOver(
        _ mapping: RelationshipMapping,
        _ restless: Set<String>,
        _ sources: [MappedProperty: [PropertyReference]]
    ) -> Bool {
        switch mapping.origin {
        case .none: return !mapping.isStated
        case .path, .found: return false
        case .relationship(let origin):
            let relationship = sourceGraph.relationship(origin.name, ofEntity: origin.declaredBy)
            if !restless.isEmpty, let end = relationship?.destinationEntity,
                source.numbers(ofHierarchy: end)
                    .contains(where: { restless.contains(source.entities[$0 - 1].name) })
            {
                return false
            }
            guard mapping.isStated,
                let inverse = destinationGraph.inverse(of: mapping.destination.reference)
            else { return true }
            // What was written for one side must be what the other side has.
            let other = sources[inverse.mapped] ?? []
            return other == [sourceGraph.inverse(of: origin.reference)].compactMap(\.self)
        }
    }
}

extension EntityCorrespondence {
    /// The value that an object is found by, in the form in which the new version stores its key.
    func sought(
        _ equals: PredicateExpression,
        _ entity: String,
        _ key: String,
        of target: Target
    ) -> RowExpression {
        .model(equals, entity: target.source.name, as: keyForm(entity, key))
    }

    /// The form in which the new version stores the key that objects of an entity are found by.
    func keyForm(_ entity: String, _ key: String) -> CellForm? {
        form(of: MappedProperty(name: key, declaredBy: entity), [])
    }
}

extension LinkPlan {
    /// The queries of links that go through mappings, one for each mapping that has a part in them.
    ///
    /// What somebody wrote down for one side counts more than what is copied by its name for the other.
    func mappedQueries(of reference: PropertyReference) -> [LinkQuery] {
        let own = parts(of: reference)
        let inverse = inverse(of: reference, in: correspondence.destinationGraph)
        let others = inverse.map(parts) ?? []
        let (ownIsStated, otherIsStated) = (
            own.contains { $0.isStated }, others.contains { $0.isStated }
        )
        let usesOwn = ownIsStated || (!otherIsStated && own.contains { !$0.queries.isEmpty })
        let reversed = others.filter { usesOwn ? $0.isStated : true }
        return (usesOwn ? own.flatMap(\.queries) : [])
            + reversed.flatMap { $0.queries.map { .reversed($0) } }
    }

    /// The links to objects that are found by their keys.
    func found(of reference: PropertyReference) -> [Found] {
        guard isMapped(reference) else { return [] }
        let inverse = inverse(of: reference, in: correspondence.destinationGraph)
        return found(of: reference, isReversed: false)
            + (inverse.map { found(of: $0, isReversed: true) } ?? [])
    }

    private func found(of reference: PropertyReference, isReversed: Bool) -> [Found] {
        owners(of: reference).compactMap { target in
            guard
                case .found(let entity, let key, let equals)? =
                    target.relationships[reference.mapped]?.origin
            else { return nil }
            return Found(
                owner: target,
                entity: entity,
                key: key,
                equals: correspondence.sought(equals, entity, key, of: target),
                isReversed: isReversed
            )
        }
    }

    /// The queries of the links of a relationship for the objects of one mapping, whose owners `objects` lists.
    func queries(
        of mapping: RelationshipMapping,
        _ target: EntityCorrespondence.Target,
        owners objects: LinkQuery.Objects
    ) -> [LinkQuery] {
        switch mapping.origin {
        case .none, .found: return []
        case .relationship(let origin):
            return query([origin.name], through: nil, mapping, target, objects)
        case .path(let path, let name, let isLast):
            let queries = query(path, through: name, mapping, target, objects)
            return isLast ? queries.map(LinkQuery.last) : queries
        }
    }

    /// The mappings of which objects have a relationship; those of policies leave their links to later.
    private func owners(of reference: PropertyReference) -> [EntityCorrespondence.Target] {
        (correspondence.pairs + correspondence.insertions).filter {
            correspondence.isDestination($0.destination.name, kindOf: reference.entity)
        }
    }

    private func parts(
        of reference: PropertyReference
    ) -> [(queries: [LinkQuery], isStated: Bool)] {
        owners(of: reference).compactMap { target in
            guard let mapping = target.relationships[reference.mapped] else { return nil }
            let owners = target.objects(in: correspondence.source)
            return (queries(of: mapping, target, owners: owners), mapping.isStated)
        }
    }

    private func query(
        _ path: [String],
        through name: String?,
        _ mapping: RelationshipMapping,
        _ target: EntityCorrespondence.Target,
        _ owners: LinkQuery.Objects
    ) -> [LinkQuery] {
        guard let (links, end) = links(along: path, from: target.source.name) else { return [] }
        let reference = mapping.destination.reference
        let relationship = correspondence.destinationGraph.relationship(
            reference.name,
            ofEntity: reference.entity
        )
        let numbers = Set(
            correspondence.destination.numbers(ofHierarchy: relationship?.destinationEntity ?? "")
        )
        let root = correspondence.source.table(of: end)?.rootEntity
        let destinations = correspondence.targets.filter { other in
            other.source.rootName == root && numbers.contains(other.destination.number)
                && (name == nil || other.mapping.name == name)
        }
        guard !destinations.isEmpty else { return [] }
        return [
            .moved(
                links,
                owners: owners,
                destinations: destinations.map { $0.objects(in: correspondence.source) }
            )
        ]
    }

    /// The links along a path of relationships of the old version, and the entity that it leads to.
    func links(
        along path: [String],
        from entity: String
    ) -> (query: LinkQuery, end: String)? {
        guard let name = path.first else {
            return correspondence.source.table(of: entity)
                .map { (.itself(table: $0.name), entity) }
        }
        let graph = correspondence.sourceGraph
        let origin = Origin(
            relationship: PropertyReference(entity: entity, name: name),
            isReversed: false
        )
        guard let columns = columns(of: origin),
            let next = graph.relationship(name, ofEntity: entity)?.destinationEntity
        else { return nil }
        let own = LinkQuery.stored(columns, [])
        let rest = Array(path.dropFirst())
        guard !rest.isEmpty else { return (own, next) }
        return links(along: rest, from: next).map { (.joined(own, $0.query), $0.end) }
    }
}

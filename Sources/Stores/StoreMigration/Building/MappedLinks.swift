import MappingInference
import ModelLanguage
import ObjectModel
import StoreFormat

/// The relationships whose links are not merely carried over, each with its inverse.
///
/// Not all their objects keep their keys, or somebody wrote down where the links come from.
func mappedRelationships(
    of correspondence: EntityCorrespondence,
    _ sources: [PropertyReference: [PropertyReference]]
) -> Set<PropertyReference> {
    let targets = correspondence.targets
    let restless = restlessEntities(of: targets)
    var mapped: Set<PropertyReference> = []
    for target in targets {
        for mapping in target.mapping.relationshipMappings {
            let isPlain =
                target.keepsKeys && !restless.contains(target.source.name)
                && correspondence.carriesOver(mapping, of: target, restless, sources)
            guard !isPlain else { continue }
            let reference = mapping.destination
            mapped.insert(reference)
            if let inverse = correspondence.destinationGraph.inverse(of: reference) {
                mapped.insert(inverse)
            }
        }
    }
    return mapped
}

/// The old relationships that become the inverses of ones that they were not inverse to, with these.
func joinedRelationships(
    of correspondence: EntityCorrespondence,
    _ sources: [PropertyReference: [PropertyReference]]
) -> [PropertyReference: Set<PropertyReference>] {
    var joined: [PropertyReference: Set<PropertyReference>] = [:]
    for (new, olds) in sources {
        guard let inverse = correspondence.destinationGraph.inverse(of: new),
            let others = sources[inverse]
        else { continue }
        for old in olds {
            let former = correspondence.sourceGraph.inverse(of: old)
            guard former.map({ !others.contains($0) }) ?? true else { continue }
            joined[old, default: []].insert(inverse)
        }
    }
    return joined
}

/// The old entities whose objects do not all continue as one object with the same key.
private func restlessEntities(of targets: [MappingTarget]) -> Set<String> {
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
        of target: MappingTarget,
        _ restless: Set<String>,
        _ sources: [PropertyReference: [PropertyReference]]
    ) -> Bool {
        switch mapping.origin {
        case .none: return !mapping.isStated && !leavesHalf(mapping, of: target, sources)
        case .path, .found: return false
        case .relationship(let origin):
            let relationship = sourceGraph.relationship(origin)
            if !restless.isEmpty, let end = relationship?.destinationEntity,
                source.numbers(ofHierarchy: end)
                    .contains(where: { restless.contains(source.entities[$0 - 1].name) })
            {
                return false
            }
            guard mapping.isStated else { return true }
            let new = mapping.destination
            let sides = (sourceGraph.inverse(of: origin), destinationGraph.inverse(of: new))
            // A lost order is counted when the links are written.
            guard !losesOrder(origin, new), !losesOrder(sides.0, sides.1) else {
                return false
            }
            guard let inverse = sides.1 else { return true }
            // What a map says for one side must be what the other side has.
            return (sources[inverse] ?? []) == [sides.0].compactMap(\.self)
        }
    }

    /// Whether a mapping leaves out links of its objects that other mappings copy: those of the inverse set both sides,
    /// and two to-one inverses have a column each, which must say the same.
    private func leavesHalf(
        _ mapping: RelationshipMapping,
        of target: MappingTarget,
        _ sources: [PropertyReference: [PropertyReference]]
    ) -> Bool {
        let new = mapping.destination
        guard let inverse = destinationGraph.inverse(of: new),
            sources[inverse] != nil
                || [new, inverse].allSatisfy({
                    destinationGraph.relationship($0)?.isToMany == false
                })
        else { return false }
        return sources[new]?.contains { old in
            source.numbers(ofHierarchy: old.entity).contains(target.source.number)
        } == true
    }

    private func losesOrder(_ old: PropertyReference?, _ new: PropertyReference?) -> Bool {
        func isOrdered(_ reference: PropertyReference?, _ graph: ModelGraph) -> Bool {
            reference.flatMap { graph.relationship($0) }?.isOrdered == true
        }
        return isOrdered(old, sourceGraph) && !isOrdered(new, destinationGraph)
    }

    /// The value that an object is found by, in the form in which the new version stores its key.
    func sought(
        _ equals: PredicateExpression,
        _ entity: String,
        _ key: String,
        of target: MappingTarget
    ) -> RowExpression { .model(equals, entity: target.source.name, as: keyForm(entity, key)) }

    /// The old relationships that a mapping's links follow, each by the entity that declares it.
    func relationships(along mapping: RelationshipMapping, of target: MappingTarget)
        -> [PropertyReference]
    {
        let path: [String]
        switch mapping.origin {
        case .none, .found: return []
        case .relationship(let origin): return [origin]
        case .path(let names, _, _): path = names
        }
        var entity: String? = target.source.name
        return path.compactMap { name in
            guard let owner = entity.flatMap(sourceGraph.entity),
                let (relationship, declaring) = sourceGraph.relationship(name, of: owner)
            else { return nil }
            entity = relationship.destinationEntity
            return PropertyReference(entity: declaring.name, name: name)
        }
    }

    /// The form in which the new version stores the key that objects of an entity are found by.
    func keyForm(_ entity: String, _ key: String) -> CellForm? {
        form(of: PropertyReference(entity: entity, name: key), [])
    }
}

extension LinkPlan {
    /// A query for the objects of a mapping and what each became.
    typealias ObjectQuery = (MappingTarget) -> LinkQuery.Objects

    /// What one mapping contributes to the links of a relationship.
    private struct Part {
        var target: MappingTarget
        var mapping: RelationshipMapping
        var queries: [LinkQuery]
        var isReversed = false
    }

    /// The links that the mappings intend, whether or not they can all be kept.
    var meantLinks: [(MeantLinks, LinkQuery)] {
        storingRelationships.filter { isMapped($0) && isLeading($0) }.flatMap { reference in
            parts(of: reference) { $0.objects(in: correspondence.source) }.flatMap { part in
                let links = meant(by: part.mapping, of: part.target)
                return part.queries.map { (links, $0) }
            }
        }
    }

    /// The links that a mapping intends.
    func meant(by mapping: RelationshipMapping, of target: MappingTarget) -> MeantLinks {
        MeantLinks(
            target: target,
            reference: mapping.destination,
            along: correspondence.relationships(along: mapping, of: target)
        )
    }

    /// Whether this side writes the links: two to-one inverses share them.
    private func isLeading(_ reference: PropertyReference) -> Bool {
        guard shape(of: reference, isSource: false) == .oneToOne,
            let inverse = correspondence.destinationGraph.inverse(of: reference)
        else { return true }
        return reference <= inverse
    }

    func mappedQueries(of reference: PropertyReference) -> [LinkQuery] {
        parts(of: reference) { $0.objects(in: correspondence.source) }.flatMap { part in
            part.isReversed ? part.queries.map { .reversed($0) } : part.queries
        }
    }

    /// The links of an old relationship that a new one gets through mappings, in their old direction and with old keys,
    /// also those that only a last one displaces; none for links along several relationships.
    func oldLinks(
        of old: PropertyReference,
        for reference: PropertyReference,
        _ objects: ObjectQuery
    ) -> [LinkQuery] {
        parts(of: reference, objects).flatMap {
            directed(
                $0.queries,
                correspondence.relationships(along: $0.mapping, of: $0.target),
                old
            )
        }
    }

    /// The links of an old relationship that the mappings of policies carry on, as `oldLinks` gives those of others.
    func codedLinks(of old: PropertyReference, _ objects: ObjectQuery) -> [LinkQuery] {
        correspondence.policies.flatMap { target in
            target.mapping.relationshipMappings.flatMap { mapping in
                directed(
                    queries(of: mapping, target, objects(target), objects),
                    correspondence.relationships(along: mapping, of: target),
                    old
                )
            }
        }
    }

    private func directed(
        _ queries: [LinkQuery],
        _ along: [PropertyReference],
        _ old: PropertyReference
    ) -> [LinkQuery] {
        guard along.count == 1 else { return [] }
        let queries = queries.map(\.unlimited)
        if along[0] == old { return queries }
        let inverse = correspondence.sourceGraph.inverse(of: old)
        return along[0] == inverse ? queries.map { .reversed($0) } : []
    }

    /// What mappings contribute to the links of a relationship.
    ///
    /// What is written for one side outweighs what is copied for the other, which has links that a mapping here lacks.
    private func parts(of reference: PropertyReference, _ objects: ObjectQuery) -> [Part] {
        let own = parts(ofSide: reference, objects)
        let inverse = correspondence.destinationGraph.inverse(of: reference)
        var others = inverse.map { parts(ofSide: $0, objects) } ?? []
        for index in others.indices { others[index].isReversed = true }
        let (ownIsStated, otherIsStated) = (
            own.contains(where: \.mapping.isStated), others.contains(where: \.mapping.isStated)
        )
        let usesOwn = ownIsStated || (!otherIsStated && own.contains { !$0.queries.isEmpty })
        let isWhole = ownIsStated || own.allSatisfy { !$0.queries.isEmpty }
        return (usesOwn ? own : [])
            + others.filter { usesOwn && isWhole ? $0.mapping.isStated : true }
    }

    private func parts(ofSide reference: PropertyReference, _ objects: ObjectQuery) -> [Part] {
        owners(of: reference).compactMap { target in
            guard let mapping = target.relationships[reference] else { return nil }
            let queries = queries(of: mapping, target, objects(target), objects)
            return Part(target: target, mapping: mapping, queries: queries)
        }
    }

    func found(of reference: PropertyReference) -> [Found] {
        guard isMapped(reference) else { return [] }
        let inverse = correspondence.destinationGraph.inverse(of: reference)
        return found(of: reference, isReversed: false)
            + (inverse.map { found(of: $0, isReversed: true) } ?? [])
    }

    private func found(of reference: PropertyReference, isReversed: Bool) -> [Found] {
        owners(of: reference).compactMap { target in
            target.relationships[reference]
                .flatMap { found(by: $0, of: target, isReversed: isReversed) }
        }
    }

    /// The objects that a mapping finds by a key; `nil` for links of another origin.
    func found(
        by mapping: RelationshipMapping,
        of target: MappingTarget,
        isReversed: Bool = false
    ) -> Found? {
        guard case .found(let entity, let key, let equals) = mapping.origin else { return nil }
        return Found(
            owner: target,
            reference: mapping.destination,
            entity: entity,
            key: key,
            equals: correspondence.sought(equals, entity, key, of: target),
            isReversed: isReversed
        )
    }

    /// The queries of a relationship's links for the objects of one mapping, whose owners `objects` lists.
    func queries(
        of mapping: RelationshipMapping,
        _ target: MappingTarget,
        owners: LinkQuery.Objects
    ) -> [LinkQuery] {
        queries(of: mapping, target, owners) { $0.objects(in: correspondence.source) }
    }

    private func queries(
        of mapping: RelationshipMapping,
        _ target: MappingTarget,
        _ owners: LinkQuery.Objects,
        _ objects: ObjectQuery
    ) -> [LinkQuery] {
        switch mapping.origin {
        case .none, .found: return []
        case .relationship(let origin):
            return query([origin.name], through: nil, mapping, target, owners, objects)
        case .path(let path, let name, let isLast):
            let queries = query(path, through: name, mapping, target, owners, objects)
            return isLast ? queries.map(LinkQuery.last) : queries
        }
    }

    /// The mappings whose objects have a relationship; links of policies come later.
    private func owners(of reference: PropertyReference) -> [MappingTarget] {
        (correspondence.pairs + correspondence.insertions).filter {
            correspondence.isDestination($0.destination.name, kindOf: reference.entity)
        }
    }

    private func query(
        _ path: [String],
        through name: String?,
        _ mapping: RelationshipMapping,
        _ target: MappingTarget,
        _ owners: LinkQuery.Objects,
        _ objects: ObjectQuery
    ) -> [LinkQuery] {
        guard let (links, end) = links(along: path, from: target.source.name) else { return [] }
        let reference = mapping.destination
        let relationship = correspondence.destinationGraph.relationship(reference)
        let numbers = Set(
            correspondence.destination.numbers(ofHierarchy: relationship?.destinationEntity ?? "")
        )
        let root = correspondence.source.table(of: end)?.rootEntity
        let destinations = correspondence.targets.filter { other in
            other.source.rootName == root && numbers.contains(other.destination.number)
                && (name == nil || other.mapping.name == name)
        }
        guard !destinations.isEmpty else { return [] }
        return [.moved(links, owners: owners, destinations: destinations.map(objects))]
    }

    func links(along path: [String], from entity: String) -> (query: LinkQuery, end: String)? {
        guard let name = path.first else {
            return correspondence.source.table(of: entity).map { (.itself(table: $0.name), entity) }
        }
        let graph = correspondence.sourceGraph
        guard let own = allLinks(of: PropertyReference(entity: entity, name: name)),
            let next = graph.relationship(name, ofEntity: entity)?.destinationEntity
        else { return nil }
        let rest = Array(path.dropFirst())
        guard !rest.isEmpty else { return (own, next) }
        return links(along: rest, from: next).map { (.joined(own, $0.query), $0.end) }
    }
}

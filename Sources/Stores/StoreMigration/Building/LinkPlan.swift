import MappingInference
import ObjectModel
import StoreFormat

/// Where the links of the new version's relationships come from.
///
/// A relationship and its inverse are one set of links. Where both versions store it alike, columns and join tables are
/// carried over; otherwise the links are captured before anything changes and rewritten.
struct LinkPlan {
    /// A relationship of the old version that links come from; reversed when it is the inverse's.
    struct Origin: Hashable {
        var relationship: PropertyReference
        var isReversed: Bool
    }

    private struct Route: Hashable {
        var origin: PropertyReference
        var destination: PropertyReference
    }

    enum Shape { case toOneAlone, oneToOne, oneToMany, manyToMany, owner, none }

    /// A link to the object with a given key value, which the new rows show.
    struct Found {
        var owner: MappingTarget
        var reference: PropertyReference
        var entity: String
        var key: String
        var equals: RowExpression
        /// Whether the found object is the source of the link.
        var isReversed: Bool
    }

    let correspondence: EntityCorrespondence
    /// The old relationships that become each new one unchanged.
    private let sources: [PropertyReference: [PropertyReference]]
    /// The old entities whose objects take their links of a relationship to a new one.
    private let owners: [Route: Set<Int>]
    /// The entities that links of an old relationship may still lead to, where they may not lead to all.
    private let reaches: [PropertyReference: [String]]
    /// The new relationships that had other links than the old ones that become their inverses.
    private let joined: [PropertyReference: Set<PropertyReference>]
    /// The relationships whose links are not merely carried over, with their inverses.
    private let mapped: Set<PropertyReference>
    private let repeating: Set<String>

    init(correspondence: EntityCorrespondence, repeating: Set<String> = []) {
        (self.correspondence, self.repeating) = (correspondence, repeating)
        var sources: [PropertyReference: [PropertyReference]] = [:]
        var reaches: [PropertyReference: [String]] = [:]
        var owners: [Route: Set<Int>] = [:]
        for pair in correspondence.pairs {
            for mapping in pair.mapping.relationshipMappings {
                guard let source = mapping.source else { continue }
                if let reach = mapping.reachableEntities { reaches[source] = reach }
                let route = Route(origin: source, destination: mapping.destination)
                owners[route, default: []].insert(pair.source.number)
                guard sources[mapping.destination]?.contains(source) != true else { continue }
                sources[mapping.destination, default: []].append(source)
            }
        }
        (self.sources, self.reaches, self.owners) = (sources, reaches, owners)
        joined = joinedRelationships(of: correspondence, sources)
        mapped = mappedRelationships(of: correspondence, sources)
    }

    /// Whether the links of a relationship go through mappings that do more than keep objects in their rows.
    func isMapped(_ reference: PropertyReference) -> Bool { mapped.contains(reference) }

    /// Whether an old relationship becomes the inverse of one that had its own links: those win, and the others stay
    /// where they agree.
    func isJoined(_ old: PropertyReference, to new: PropertyReference) -> Bool {
        joined[old]?.contains(new) ?? false
    }

    func origins(of reference: PropertyReference) -> [Origin] {
        if let own = sources[reference] {
            return own.map { Origin(relationship: $0, isReversed: false) }
        }
        guard let inverse = correspondence.destinationGraph.inverse(of: reference) else {
            return []
        }
        return (sources[inverse] ?? []).map { Origin(relationship: $0, isReversed: true) }
    }

    func queries(of reference: PropertyReference) -> [LinkQuery] {
        guard isMapped(reference) else {
            return origins(of: reference).compactMap { links(of: $0, for: reference) }
        }
        return mappedQueries(of: reference)
    }

    func isDirect(_ reference: PropertyReference, of pair: MappingTarget) -> Bool {
        guard !isMapped(reference), let mapping = pair.relationships[reference],
            mapping.reachableEntities == nil, let origin = mapping.source,
            let stored = correspondence.source.links(of: origin, as: .key),
            stored.table == correspondence.source.table(of: pair.source.name)?.name
        else { return false }
        // A mutual link must be the only one on both sides, which other shapes do not guarantee. Either of two columns
        // for the same links may have a link that the other lacks, so both are read if one of them is removed.
        let (old, new) = (shape(of: origin, isSource: true), shape(of: reference, isSource: false))
        guard old == .oneToOne || new == .oneToOne else { return true }
        guard old == new, let inverse = correspondence.destinationGraph.inverse(of: reference)
        else { return false }
        return sources[inverse]
            == [correspondence.sourceGraph.inverse(of: origin)].compactMap(\.self)
    }

    /// The old relationship whose owner column can be carried over in a table.
    func directOwner(of reference: PropertyReference, in sourceRoot: String) -> PropertyReference? {
        guard !isMapped(reference) else { return nil }
        let origins = origins(of: reference)
        guard origins.count == 1, !origins[0].isReversed else { return nil }
        let origin = origins[0].relationship
        guard reach(of: origin) == nil, takers(of: origins[0], for: reference) == nil,
            let stored = correspondence.source.links(of: origin, as: .owner),
            stored.table == correspondence.source.table(of: sourceRoot)?.name
            // The column does not tell an owner's entity: removed owners are found by capturing.
        else { return nil }
        return origin
    }

    /// Whether the owner column of a new relationship is carried over in the table that has it.
    func carriesOwners(of reference: PropertyReference, in name: String) -> Bool {
        let table = correspondence.destination.tables.first { $0.name == name }
        let roots = table.map { correspondence.pairs(in: $0).map(\.source.rootName) } ?? []
        return roots.contains { directOwner(of: reference, in: $0) != nil }
    }

    /// The links of a to-one relationship that must be captured and rewritten.
    func indirectQueries(of reference: PropertyReference) -> [LinkQuery] {
        guard !isMapped(reference) else { return queries(of: reference) }
        let origins = origins(of: reference)
        guard !origins.isEmpty else { return [] }
        let direct = Set(
            correspondence.pairs(ofKind: reference.entity).filter { isDirect(reference, of: $0) }
                .compactMap { $0.relationships[reference]?.source }
        )
        return origins.filter { $0.isReversed || !direct.contains($0.relationship) }
            .compactMap { links(of: $0, for: reference) }
    }

    func shape(of reference: PropertyReference, isSource: Bool) -> Shape {
        let layout = isSource ? correspondence.source : correspondence.destination
        switch layout.links(of: reference)?.form {
        case .inverseKey: return .oneToMany
        case .join: return .manyToMany
        case .owner: return .owner
        case nil: return .none
        case .key:
            guard let inverse = layout.graph.inverse(of: reference) else { return .toOneAlone }
            switch layout.links(of: inverse)?.form {
            case .key: return .oneToOne
            case .inverseKey: return .oneToMany
            default: return .toOneAlone
            }
        }
    }

    /// Where an origin's links are stored, seen in the direction of the new relationship.
    func columns(of origin: Origin) -> LinkQuery.Columns? {
        let columns = columns(of: origin.relationship, isSource: true)
        return origin.isReversed ? columns?.reversed : columns
    }

    func columns(of reference: PropertyReference, isSource: Bool) -> LinkQuery.Columns? {
        let layout = isSource ? correspondence.source : correspondence.destination
        guard let links = layout.links(of: reference) else { return nil }
        var columns = LinkQuery.Columns(
            table: links.table,
            source: links.source,
            destination: links.destination
        )
        if links.form == .key {
            columns.destinationOrder = links.orderKey
        } else {
            columns.sourceOrder = links.orderKey
        }
        if links.form == .join,
            let inverse = layout.graph.inverse(of: reference).flatMap({ layout.links(of: $0) }),
            inverse.form == .join
        {
            columns.destinationOrder = inverse.orderKey
        }
        return columns
    }

    /// Whether the old version keeps no order that the new one needs: then the links must be numbered.
    func lacksOrder(
        _ reference: PropertyReference,
        _ order: KeyPath<LinkQuery.Columns, String?>
    ) -> Bool {
        isMapped(reference)
            || origins(of: reference).contains { columns(of: $0)?[keyPath: order] == nil }
    }

    /// Returns the query of the links that a new relationship continues from an old one: those of surviving objects
    /// that have it, to surviving objects that it may lead to.
    func links(of origin: Origin, for reference: PropertyReference) -> LinkQuery? {
        guard let columns = columns(of: origin) else { return nil }
        let survivals = survivals(of: origin, columns, for: reference)
        let own = LinkQuery.stored(columns, survivals + existence(of: origin, columns))
        guard shape(of: origin.relationship, isSource: true) == .oneToOne,
            let inverse = correspondence.sourceGraph.inverse(of: origin.relationship)
        else { return own }
        let mirrored = Origin(relationship: inverse, isReversed: !origin.isReversed)
        guard let otherColumns = self.columns(of: mirrored) else { return own }
        let conditions = survivals.map { condition in
            var condition = condition
            let isAtSource = condition.column == columns.source
            condition.column = isAtSource ? otherColumns.source : otherColumns.destination
            return condition
        }
        let other = LinkQuery.stored(
            otherColumns,
            conditions + existence(of: mirrored, otherColumns)
        )
        switch shape(of: reference, isSource: false) {
        case .oneToOne, .toOneAlone, .oneToMany:
            return columns.source == "Z_PK" ? .complemented(own, other) : .complemented(other, own)
        case .manyToMany, .owner, .none: return .united(own, other)
        }
    }

    /// The links of an old relationship as they are, before any change.
    func allLinks(of reference: PropertyReference) -> LinkQuery? {
        let origin = Origin(relationship: reference, isReversed: false)
        guard let columns = columns(of: origin) else { return nil }
        guard shape(of: reference, isSource: true) == .oneToOne,
            let inverse = correspondence.sourceGraph.inverse(of: reference),
            let other = self.columns(of: Origin(relationship: inverse, isReversed: true))
        else { return .stored(columns, []) }
        return .united(.stored(columns, []), .stored(other, []))
    }

    func takesAll(of origin: Origin, for reference: PropertyReference) -> Bool {
        guard let columns = columns(of: origin) else { return true }
        return survivals(of: origin, columns, for: reference).isEmpty
    }

    /// Whether no link of a query can occur twice: each is a row of a table with a key, or a row's column.
    func holdsEachOnce(_ query: LinkQuery) -> Bool {
        query.holdsEachLinkOnce && !query.tables.contains(where: repeating.contains)
    }

    /// The conditions that both ends of a link exist: rewritten links leave out the dangling ones of a damaged store,
    /// which would displace others.
    private func existence(of origin: Origin, _ columns: LinkQuery.Columns) -> [LinkQuery.Survival]
    {
        let relationship = origin.relationship
        let target = correspondence.sourceGraph.relationship(relationship)?.destinationEntity
        let ends = [(relationship.entity, !origin.isReversed), (target ?? "", origin.isReversed)]
        return ends.compactMap { entity, isSource in
            let column = isSource ? columns.source : columns.destination
            guard column != "Z_PK", let table = correspondence.source.table(of: entity) else {
                return nil
            }
            return LinkQuery.Survival(column: column, table: table.name, numbers: nil)
        }
    }

    private func survivals(
        of origin: Origin,
        _ columns: LinkQuery.Columns,
        for reference: PropertyReference
    ) -> [LinkQuery.Survival] {
        let relationship = origin.relationship
        let (own, other) =
            origin.isReversed
            ? (columns.destination, columns.source) : (columns.source, columns.destination)
        let target = correspondence.sourceGraph.relationship(relationship)?.destinationEntity
        let limit = takers(of: origin, for: reference).flatMap { numbers in
            correspondence.source.table(of: relationship.entity).map {
                LinkQuery.Survival(column: own, table: $0.name, numbers: numbers, isLimited: true)
            }
        }
        return [
            limit, target.flatMap { survival(of: $0, column: other) },
            target.flatMap { reachability(of: relationship, in: $0, column: other) },
        ]
        .compactMap(\.self)
    }

    /// The old entities whose objects take their links of an origin to a relationship; `nil` when all do.
    private func takers(of origin: Origin, for reference: PropertyReference) -> [Int]? {
        let graph = correspondence.destinationGraph
        guard let side = origin.isReversed ? graph.inverse(of: reference) : reference else {
            return nil
        }
        let taking = owners[Route(origin: origin.relationship, destination: side)] ?? []
        let source = correspondence.source
        let all = source.numbers(ofHierarchy: origin.relationship.entity)
            .filter { !source.entities[$0 - 1].isAbstract }
        let limited = all.filter(taking.contains)
        return limited.count == all.count ? nil : limited
    }

    /// Returns the query of links that come from one to-one relationship or its inverse, without duplicates; `nil` when
    /// links may also come from elsewhere.
    func uniqueLinks(of reference: PropertyReference) -> LinkQuery? {
        let origins = origins(of: reference)
        guard !isMapped(reference), origins.count == 1, let columns = columns(of: origins[0]),
            columns.source == "Z_PK" || columns.destination == "Z_PK",
            shape(of: origins[0].relationship, isSource: true) != .oneToOne
        else { return nil }
        return links(of: origins[0], for: reference)
    }

    private func survival(of entity: String, column: String) -> LinkQuery.Survival? {
        let removed = correspondence.removedNumbers(inHierarchyOf: entity)
        guard !removed.isEmpty, let table = correspondence.source.table(of: entity) else {
            return nil
        }
        return LinkQuery.Survival(column: column, table: table.name, numbers: removed)
    }

    /// The entities that links of an old relationship may still lead to; `nil` for all.
    func reach(of origin: PropertyReference) -> [String]? { reaches[origin] }

    /// The condition that a link's destination belongs to the relationship's new destination entity.
    private func reachability(
        of origin: PropertyReference,
        in target: String,
        column: String
    ) -> LinkQuery.Survival? {
        guard let reachable = reach(of: origin), let table = correspondence.source.table(of: target)
        else { return nil }
        return LinkQuery.Survival(
            column: column,
            table: table.name,
            numbers: reachable.compactMap { correspondence.source.number(of: $0) },
            isLimited: true
        )
    }
}

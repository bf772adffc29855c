import MappingInference
import ObjectModel
import SQLiteAccess
import StoreFormat

/// Where the links of the new version's relationships come from.
///
/// A relationship and its inverse are one set of links. Where both versions keep it in the same way, columns and
/// join tables are carried over; otherwise the links are captured before anything changes and written anew.
struct LinkPlan {
    /// A relationship of the old version that links come from; reversed when it is that of the inverse.
    struct Origin: Hashable {
        var relationship: PropertyReference
        var isReversed: Bool
    }

    /// How a set of links is kept.
    enum Shape {
        case toOneAlone, oneToOne, oneToMany, manyToMany, owner, none
    }

    /// A link to the object whose key has a value, which the new rows tell.
    struct Found {
        var owner: EntityCorrespondence.Target
        var entity: String
        var key: String
        var equals: RowExpression
        /// Whether the object that is found is the source of the link.
        var isReversed: Bool
    }

    let correspondence: EntityCorrespondence
    /// The relationships of the old version by those of the new one that they become as they are.
    private let sources: [MappedProperty: [PropertyReference]]
    /// The entities that links of an old relationship may still lead to, where they may not lead to all.
    private let reaches: [PropertyReference: [String]]
    /// The relationships whose links are not merely carried over, with their inverses.
    private let mapped: Set<PropertyReference>

    init(correspondence: EntityCorrespondence) {
        self.correspondence = correspondence
        var sources: [MappedProperty: [PropertyReference]] = [:]
        var reaches: [PropertyReference: [String]] = [:]
        for pair in correspondence.pairs {
            for mapping in pair.mapping.relationshipMappings {
                if let source = mapping.source?.reference, let reach = mapping.reachableEntities {
                    reaches[source] = reach
                }
                guard let source = mapping.source?.reference,
                    sources[mapping.destination]?.contains(source) != true
                else { continue }
                sources[mapping.destination, default: []].append(source)
            }
        }
        (self.sources, self.reaches) = (sources, reaches)
        mapped = mappedRelationships(of: correspondence, sources)
    }

    /// Whether the links of a relationship go through mappings that do more than keep objects in their rows.
    func isMapped(_ reference: PropertyReference) -> Bool { mapped.contains(reference) }

    /// The relationships of the old version that the links of one of the new version come from.
    func origins(of reference: PropertyReference) -> [Origin] {
        if let own = sources[reference.mapped] {
            return own.map { Origin(relationship: $0, isReversed: false) }
        }
        let graph = correspondence.destinationGraph
        guard let inverse = inverse(of: reference, in: graph) else { return [] }
        return (sources[inverse.mapped] ?? []).map { Origin(relationship: $0, isReversed: true) }
    }

    /// The queries of the links of a relationship.
    func queries(of reference: PropertyReference) -> [LinkQuery] {
        guard isMapped(reference) else { return origins(of: reference).compactMap(links) }
        return mappedQueries(of: reference)
    }

    /// Whether a to-one relationship's columns can be carried over for rows of an entity.
    func isDirect(_ reference: PropertyReference, of pair: EntityCorrespondence.Pair) -> Bool {
        guard !isMapped(reference), let mapping = pair.relationships[reference.mapped],
            mapping.reachableEntities == nil, let origin = mapping.source?.reference,
            case .foreignKey(let table, _, _, _)? = correspondence.source.storage(
                of: origin.name,
                declaredBy: origin.entity
            ), table == correspondence.source.table(of: pair.source.name)?.name
        else { return false }
        // A link to each other must be the only one on both sides, which other shapes do not promise.
        return shape(of: reference, isSource: false) != .oneToOne
            || shape(of: origin, isSource: true) == .oneToOne
    }

    /// The relationship of the old version whose owner column can be carried over in a table.
    func directOwner(of reference: PropertyReference, in sourceRoot: String) -> PropertyReference? {
        guard !isMapped(reference) else { return nil }
        let origins = origins(of: reference)
        guard origins.count == 1, !origins[0].isReversed else { return nil }
        let origin = origins[0].relationship
        guard reach(of: origin) == nil,
            case .ownerColumn(let table, _, _)? = correspondence.source.storage(
                of: origin.name,
                declaredBy: origin.entity
            ), table == correspondence.source.table(of: sourceRoot)?.name,
            // The column does not tell which entity an owner is of: owners that are gone are found by capturing.
            correspondence.removedNumbers(inHierarchyOf: origin.entity).isEmpty
        else { return nil }
        return origin
    }

    /// The links of a to-one relationship that must be captured and written anew.
    func indirectQueries(of reference: PropertyReference) -> [LinkQuery] {
        guard !isMapped(reference) else { return queries(of: reference) }
        let origins = origins(of: reference)
        guard !origins.isEmpty else { return [] }
        let direct = Set(
            correspondence.pairs(ofKind: reference.entity)
                .filter { isDirect(reference, of: $0) }
                .compactMap { $0.relationships[reference.mapped]?.source?.reference }
        )
        return origins.filter { $0.isReversed || !direct.contains($0.relationship) }
            .compactMap(links)
    }

    func shape(of reference: PropertyReference, isSource: Bool) -> Shape {
        let layout = isSource ? correspondence.source : correspondence.destination
        let graph = isSource ? correspondence.sourceGraph : correspondence.destinationGraph
        switch layout.storage(of: reference.name, declaredBy: reference.entity) {
        case .inverseForeignKey?: return .oneToMany
        case .joinTable?: return .manyToMany
        case .ownerColumn?: return .owner
        case nil, RelationshipStorage.none?: return .none
        case .foreignKey?:
            guard let inverse = inverse(of: reference, in: graph) else { return .toOneAlone }
            switch layout.storage(of: inverse.name, declaredBy: inverse.entity) {
            case .foreignKey?: return .oneToOne
            case .inverseForeignKey?: return .oneToMany
            default: return .toOneAlone
            }
        }
    }

    func inverse(of reference: PropertyReference, in graph: ModelGraph) -> PropertyReference? {
        graph.inverse(of: reference)
    }

    /// Where the links of an origin stand, seen in the direction of the new relationship.
    func columns(of origin: Origin) -> LinkQuery.Columns? {
        let reference = origin.relationship
        let layout = correspondence.source
        var columns: LinkQuery.Columns
        switch layout.storage(of: reference.name, declaredBy: reference.entity) {
        case .foreignKey(let table, let column, _, let order)?:
            columns = LinkQuery.Columns(table: table, source: "Z_PK", destination: column)
            columns.destinationOrder = order
        case .inverseForeignKey(let table, let column, _, let order)?,
            .ownerColumn(let table, let column, let order)?:
            columns = LinkQuery.Columns(table: table, source: column, destination: "Z_PK")
            columns.sourceOrder = order
        case .joinTable(let table, let source, let destination, let order)?:
            columns = LinkQuery.Columns(table: table, source: source, destination: destination)
            columns.sourceOrder = order
            columns.destinationOrder = inverseOrder(of: reference)
        case nil, RelationshipStorage.none?:
            return nil
        }
        return origin.isReversed ? columns.reversed : columns
    }

    /// Whether the old version keeps no order of links that the new one has: then they must be numbered.
    func lacksOrder(
        _ reference: PropertyReference,
        _ order: KeyPath<LinkQuery.Columns, String?>
    ) -> Bool {
        isMapped(reference)
            || origins(of: reference).contains { columns(of: $0)?[keyPath: order] == nil }
    }

    /// Returns the query of the links of an old relationship; those of objects whose entity is gone are left out.
    func links(of origin: Origin) -> LinkQuery? {
        guard let columns = columns(of: origin) else { return nil }
        let reference = origin.relationship
        let (own, other) =
            origin.isReversed
            ? (columns.destination, columns.source) : (columns.source, columns.destination)
        let target = correspondence.sourceGraph.relationship(
            reference.name,
            ofEntity: reference.entity
        )?.destinationEntity
        let survivals = [
            survival(of: reference.entity, column: own),
            target.flatMap { survival(of: $0, column: other) },
            target.flatMap { reachability(of: reference, in: $0, column: other) },
        ]
        return .stored(columns, survivals.compactMap(\.self))
    }

    /// Returns the query of links that come from one to-one relationship or its inverse, no two of them alike.
    ///
    /// - Returns: `nil` when the links come from elsewhere, where some of them may be.
    func uniqueLinks(of reference: PropertyReference) -> LinkQuery? {
        let origins = origins(of: reference)
        guard !isMapped(reference), origins.count == 1, let columns = columns(of: origins[0]),
            columns.source == "Z_PK" || columns.destination == "Z_PK"
        else { return nil }
        return links(of: origins[0])
    }

    private func inverseOrder(of reference: PropertyReference) -> String? {
        guard let inverse = inverse(of: reference, in: correspondence.sourceGraph),
            case .joinTable(_, _, _, let order)? = correspondence.source.storage(
                of: inverse.name,
                declaredBy: inverse.entity
            )
        else { return nil }
        return order
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

    /// The condition that what a link leads to is of the relationship's new destination.
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

extension ModelGraph {
    /// The inverse of a relationship, by the entities that declare the two.
    func inverse(of reference: PropertyReference) -> PropertyReference? {
        guard let entity = entity(reference.entity),
            let relationship = relationship(reference.name, of: entity)?.0,
            let (inverse, owner) = inverse(of: relationship)
        else { return nil }
        return PropertyReference(entity: owner.name, name: inverse.name)
    }
}

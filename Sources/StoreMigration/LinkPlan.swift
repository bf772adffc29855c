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

    let correspondence: EntityCorrespondence

    /// The relationships of the old version that the links of one of the new version come from.
    func origins(of reference: PropertyReference) -> [Origin] {
        let own = mappedSources(of: reference)
        if !own.isEmpty { return own.map { Origin(relationship: $0, isReversed: false) } }
        let graph = correspondence.destinationGraph
        guard let inverse = inverse(of: reference, in: graph) else { return [] }
        return mappedSources(of: inverse).map { Origin(relationship: $0, isReversed: true) }
    }

    /// Whether a to-one relationship's columns can be carried over for rows of an entity.
    func isDirect(_ reference: PropertyReference, of pair: EntityCorrespondence.Pair) -> Bool {
        guard let mapping = pair.relationships[reference.mapped], mapping.reachableEntities == nil,
            let origin = mapping.source?.reference,
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

    /// The origins of a to-one relationship whose links must be captured and written anew.
    func indirectOrigins(of reference: PropertyReference) -> [Origin] {
        let pairs = correspondence.pairs.filter {
            correspondence.isDestination($0.destination.name, kindOf: reference.entity)
        }
        let direct = Set(
            pairs.filter { isDirect(reference, of: $0) }
                .compactMap { $0.relationships[reference.mapped]?.source?.reference }
        )
        return origins(of: reference).filter { $0.isReversed || !direct.contains($0.relationship) }
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
        guard let entity = graph.entity(reference.entity),
            let relationship = graph.relationship(reference.name, of: entity)?.0,
            let (inverse, owner) = graph.inverse(of: relationship)
        else { return nil }
        return PropertyReference(entity: owner.name, name: inverse.name)
    }

    /// Where the links of an origin stand, seen in the direction of the new relationship.
    struct Columns {
        var table: String
        var source: String
        var destination: String
        /// The place of the destination among those of the source, where the old version keeps it.
        var sourceOrder: String?
        /// The place of the source among those of the destination, where the old version keeps it.
        var destinationOrder: String?
    }

    func columns(of origin: Origin) -> Columns? {
        let reference = origin.relationship
        let layout = correspondence.source
        var columns: Columns
        switch layout.storage(of: reference.name, declaredBy: reference.entity) {
        case .foreignKey(let table, let column, _, let order)?:
            columns = Columns(table: table, source: "Z_PK", destination: column)
            columns.destinationOrder = order
        case .inverseForeignKey(let table, let column, _, let order)?,
            .ownerColumn(let table, let column, let order)?:
            columns = Columns(table: table, source: column, destination: "Z_PK")
            columns.sourceOrder = order
        case .joinTable(let table, let source, let destination, let order)?:
            columns = Columns(table: table, source: source, destination: destination)
            columns.sourceOrder = order
            columns.destinationOrder = inverseOrder(of: reference)
        case nil, RelationshipStorage.none?:
            return nil
        }
        guard origin.isReversed else { return columns }
        return Columns(
            table: columns.table,
            source: columns.destination,
            destination: columns.source,
            sourceOrder: columns.destinationOrder,
            destinationOrder: columns.sourceOrder
        )
    }

    /// Returns a query of the links of an old relationship, one row each: `source`, `destination`, and their
    /// places in the destination's order (`sourceOrder`) and in the inverse's (`destinationOrder`).
    ///
    /// Links of objects whose entity is gone are left out.
    func links(of origin: Origin) -> String? {
        guard let columns = columns(of: origin) else { return nil }
        let (source, destination) = (
            quotedIdentifier(columns.source), quotedIdentifier(columns.destination)
        )
        let reference = origin.relationship
        let own = origin.isReversed ? destination : source
        var conditions = ["\(source) IS NOT NULL", "\(destination) IS NOT NULL"]
        conditions += survival(of: reference.entity, column: own)
        let relationship = correspondence.sourceGraph.relationship(
            reference.name,
            ofEntity: reference.entity
        )
        if let target = relationship?.destinationEntity {
            let column = origin.isReversed ? source : destination
            conditions += survival(of: target, column: column)
            conditions += reachability(of: reference, in: target, column: column)
        }
        return """
            SELECT \(source) AS source, \(destination) AS destination, \
            \(columns.sourceOrder.map(quotedIdentifier) ?? "NULL") AS sourceOrder, \
            \(columns.destinationOrder.map(quotedIdentifier) ?? "NULL") AS destinationOrder \
            FROM \(quotedIdentifier(columns.table)) WHERE \(conditions.joined(separator: " AND "))
            """
    }

    /// Returns the query of links that come from one to-one relationship or its inverse, no two of them alike.
    ///
    /// - Returns: `nil` when the links come from elsewhere, where some of them may be.
    func uniqueLinks(of origins: [Origin]) -> String? {
        guard origins.count == 1, let columns = columns(of: origins[0]),
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

    private func survival(of entity: String, column: String) -> [String] {
        let removed = correspondence.removedNumbers(inHierarchyOf: entity)
        guard !removed.isEmpty, let table = correspondence.source.table(of: entity) else {
            return []
        }
        let rows = "SELECT Z_PK FROM \(quotedIdentifier(table.name))"
        return ["\(column) IN (\(rows) WHERE Z_ENT NOT IN (\(numberList(removed))))"]
    }

    /// The entities that links of an old relationship may still lead to; `nil` for all.
    private func reach(of origin: PropertyReference) -> [String]? {
        correspondence.pairs.lazy.flatMap(\.relationships.values)
            .first { $0.source?.reference == origin && $0.reachableEntities != nil }?
            .reachableEntities
    }

    /// The condition that what a link leads to is of the relationship's new destination.
    private func reachability(
        of origin: PropertyReference,
        in target: String,
        column: String
    ) -> [String] {
        guard let reachable = reach(of: origin), let table = correspondence.source.table(of: target)
        else { return [] }
        let numbers = numberList(reachable.compactMap { correspondence.source.number(of: $0) })
        return [
            "\(column) IN (SELECT Z_PK FROM \(quotedIdentifier(table.name)) WHERE Z_ENT IN (\(numbers)))"
        ]
    }

    private func mappedSources(of reference: PropertyReference) -> [PropertyReference] {
        var sources: [PropertyReference] = []
        for pair in correspondence.pairs {
            guard let source = pair.relationships[reference.mapped]?.source?.reference,
                !sources.contains(source)
            else { continue }
            sources.append(source)
        }
        return sources
    }
}

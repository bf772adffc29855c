import SQLiteAccess
import StoreFormat
import ObjectModel

/// The links that a program rewrites for a relationship, as a query over the old tables.
struct WrittenLinks {
    var relationship: PropertyReference
    /// The links before the surplus ones are dropped.
    var sql: String
    /// The sides whose objects have room for one link.
    var sides: [RowChange.LinkSide]
    /// The query of the number of links that remain.
    var count: String
}

extension LinkPlan {
    /// The relationships of the new version by which its tables store links, in table order.
    var storingRelationships: [PropertyReference] {
        let layout = correspondence.destination
        let keys = layout.tables.flatMap { table in
            table.columns.compactMap { column -> PropertyReference? in
                switch column.role {
                case .toOne(let link), .toManyOwner(let link): link
                default: nil
                }
            }
        }
        return keys + layout.joinTables.map(\.namingRelationship)
    }

    /// The old relationships whose links are rewritten, with their inverses.
    var rewritten: Set<PropertyReference> {
        let old = storingRelationships.filter { isMapped($0) || written($0) != nil }
            .flatMap { origins(of: $0).map(\.relationship) }
        let inverses = old.compactMap { correspondence.sourceGraph.inverse(of: $0) }
        return Set(old + inverses)
    }

    /// The rewritten links of a storing relationship; `nil` when there are none, or a map makes them.
    func written(_ reference: PropertyReference) -> WrittenLinks? {
        guard !isMapped(reference) else { return nil }
        let layout = correspondence.destination
        guard let stored = layout.links(of: reference) else { return nil }
        switch stored.form {
        case .key:
            let indirect = indirectQueries(of: reference)
            guard !indirect.isEmpty else { return nil }
            guard shape(of: reference, isSource: false) == .oneToOne,
                let inverse = correspondence.destinationGraph.inverse(of: reference)
            else { return written(reference, indirect, [.source]) }
            let leading = min(reference, inverse)
            // Both sides share one set of links, reported for the leading one.
            return written(leading, queries(of: leading), [.source, .destination])
        case .owner:
            return carriesOwners(of: reference, in: stored.table)
                ? nil : written(reference, queries(of: reference), [.destination])
        case .join:
            guard let table = layout.joinTables.first(where: { $0.name == stored.table }),
                table.namingRelationship == reference, case .fill = JoinTransfer(table, links: self)
            else { return nil }
            return written(reference, queries(of: reference), [])
        case .inverseKey: return nil
        }
    }

    /// Whether there may be more rewritten links than there is room for.
    func mayCrowd(_ reference: PropertyReference) -> Bool {
        guard shape(of: reference, isSource: false) != .oneToOne else {
            let inverse = correspondence.destinationGraph.inverse(of: reference)
            return inverse.map { reference <= $0 } ?? true
        }
        let origins = origins(of: reference)
        guard origins.count == 1, let columns = columns(of: origins[0]) else { return true }
        return written(reference)?.sides.first == .source
            ? columns.source != "Z_PK" : columns.destination != "Z_PK"
    }

    private func written(
        _ reference: PropertyReference,
        _ queries: [LinkQuery],
        _ sides: [RowChange.LinkSide]
    ) -> WrittenLinks? {
        guard !queries.isEmpty else { return nil }
        let all = queries.map { "SELECT * FROM (\($0.sql([:])))" }.joined(separator: " UNION ALL ")
        let count: String =
            switch sides {
            case [] where queries.count == 1 && holdsEachOnce(queries[0]):
                "SELECT count(*) FROM (\(all))"
            case []: "SELECT count(*) FROM (SELECT DISTINCT source, destination FROM (\(all)))"
            case [.source]: "SELECT count(DISTINCT source) FROM (\(all))"
            case [.destination]: "SELECT count(DISTINCT destination) FROM (\(all))"
            default:
                """
                SELECT count(DISTINCT destination) FROM (SELECT destination, row_number() OVER \
                (PARTITION BY source ORDER BY sourceOrder, destination) AS place FROM (\(all))) \
                WHERE place = 1
                """
            }
        return WrittenLinks(relationship: reference, sql: all, sides: sides, count: count)
    }
}

/// The number of rows of a join table with a value in a column, as SQL.
///
/// SQLite counts all rows by pages, and the few that lack a value in an index.
func countOfLinks(in table: String, _ column: String) -> String {
    let count = "SELECT count(*) FROM \(quotedIdentifier(table))"
    return "(\(count)) - (\(count) WHERE \(quotedIdentifier(column)) IS NULL)"
}

enum JoinTransfer {
    /// The old table stays; its name and columns change where necessary.
    case keep(JoinTable, columns: [(from: String, to: String)])
    /// The links are captured before anything changes, and written into a new table.
    case fill

    init(_ table: JoinTable, links: LinkPlan) { self = Self.kept(table, links) ?? .fill }

    /// A table stays if it has the links of one old relationship in the same order of columns, orders the same sides,
    /// and no object at an end is removed.
    private static func kept(_ table: JoinTable, _ links: LinkPlan) -> JoinTransfer? {
        let layout = links.correspondence.source
        let origins = links.origins(of: table.namingRelationship)
        guard !links.isMapped(table.namingRelationship), origins.count == 1,
            links.takesAll(of: origins[0], for: table.namingRelationship),
            let stored = layout.links(of: origins[0].relationship, as: .join),
            let old = layout.joinTables.first(where: { $0.name == stored.table })
        else { return nil }
        let sourceIsFirst = old.first.name == stored.source
        guard sourceIsFirst != origins[0].isReversed,
            (old.first.orderKey == nil) == (table.first.orderKey == nil),
            (old.second.orderKey == nil) == (table.second.orderKey == nil)
        else { return nil }
        let columns = Array(zip(old.columnNames, table.columnNames)).filter { $0 != $1 }
        return .keep(old, columns: columns.map { (from: $0, to: $1) })
    }
}

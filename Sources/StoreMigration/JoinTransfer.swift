import SQLiteAccess
import StoreFormat

/// How a join table of the new version gets its links.
enum JoinTransfer {
    /// The old table stays, its name and columns change where they must.
    case keep(JoinTable, columns: [(from: String, to: String)])
    /// The links are captured before anything changes, and written into a new table.
    case fill([LinkPlan.Origin])

    init(_ table: JoinTable, links: LinkPlan) {
        let origins = links.origins(of: table.namingRelationship)
        self = Self.kept(table, origins, links) ?? .fill(origins)
    }

    /// A table stays when it holds the links of one old relationship in the same order of columns, orders the
    /// same sides, and no object at an end of it is gone.
    private static func kept(
        _ table: JoinTable,
        _ origins: [LinkPlan.Origin],
        _ links: LinkPlan
    ) -> JoinTransfer? {
        let layout = links.correspondence.source
        guard origins.count == 1,
            case .joinTable(let name, let source, _, _)? = layout.storage(
                of: origins[0].relationship.name,
                declaredBy: origins[0].relationship.entity
            ), let old = layout.joinTables.first(where: { $0.name == name })
        else { return nil }
        // Seen from the relationship that names the new table, its source side comes first.
        let sourceIsFirst = old.first.name == source
        guard sourceIsFirst != origins[0].isReversed,
            (old.first.orderKey == nil) == (table.first.orderKey == nil),
            (old.second.orderKey == nil) == (table.second.orderKey == nil),
            [old.first, old.second].allSatisfy({
                links.correspondence.removedNumbers(inHierarchyOf: $0.entity).isEmpty
            })
        else { return nil }
        let columns = Array(zip(old.columnNames, table.columnNames)).filter { $0 != $1 }
        return .keep(old, columns: columns.map { (from: $0, to: $1) })
    }
}

extension JoinTable {
    /// Fills the table from a query of links in the order of its key, which a table can be written in fastest.
    ///
    /// - Returns: `nil` when the table keeps an order of links.
    func fillStep(from links: String) -> MigrationStep? {
        guard first.orderKey == nil, second.orderKey == nil else { return nil }
        return MigrationStep(
            "write the links of \(name)",
            .rows,
            "INSERT INTO \(quotedIdentifier(name)) (\(columnList([first.name, second.name]))) "
                + "SELECT source, destination FROM (\(links)) ORDER BY 1, 2"
        )
    }
}

/// The statements that write captured links; `links` names the temporary table that holds them.
struct LinkWriting {
    let links: String

    /// Fills a new join table, in the direction of the relationship that names it.
    func fill(_ table: JoinTable) -> MigrationStep {
        var columns = [table.first.name, table.second.name]
        var values = ["source", "destination"]
        if let order = table.first.orderKey {
            columns.append(order)
            values.append(Self.order("destinationOrder", of: "source", for: "destination"))
        }
        if let order = table.second.orderKey {
            columns.append(order)
            values.append(Self.order("sourceOrder", of: "destination", for: "source"))
        }
        let rows = """
            SELECT source, destination, min(sourceOrder) AS sourceOrder, \
            min(destinationOrder) AS destinationOrder FROM temp.\(links) GROUP BY 1, 2
            """
        return MigrationStep(
            "write the links of \(table.name)",
            .rows,
            "INSERT INTO \(quotedIdentifier(table.name)) (\(columnList(columns))) "
                + "SELECT \(values.joined(separator: ", ")) FROM (\(rows))"
        )
    }

    /// Leaves one destination to each source: the first in order, else the oldest.
    func keepFirstDestination() -> MigrationStep {
        keepFirst(of: "source", by: "sourceOrder, destination")
    }

    /// Leaves one source to each destination: the first in order, else the oldest.
    func keepFirstSource() -> MigrationStep {
        keepFirst(of: "destination", by: "destinationOrder, source")
    }

    private func keepFirst(of side: String, by order: String) -> MigrationStep {
        let ranking = """
            SELECT rowid AS id, row_number() OVER (PARTITION BY \(side) ORDER BY \(order)) AS place \
            FROM temp.\(links)
            """
        return MigrationStep(
            "leave one link for each \(side)",
            .rows,
            "DELETE FROM temp.\(links) WHERE rowid IN "
                + "(SELECT id FROM (\(ranking)) WHERE place > 1)"
        )
    }

    /// Writes the columns of a to-one relationship.
    func writeForeignKey(
        table: String,
        column: String,
        entityColumn: String?,
        orderKey: String?,
        destinationTable: String,
        isReversed: Bool
    ) -> MigrationStep {
        let (own, other) = isReversed ? ("destination", "source") : ("source", "destination")
        var assignments = ["\(quotedIdentifier(column)) = l.\(other)"]
        if let entityColumn {
            let rows = "SELECT Z_ENT FROM \(quotedIdentifier(destinationTable))"
            assignments.append(
                "\(quotedIdentifier(entityColumn)) = (\(rows) WHERE Z_PK = l.\(other))"
            )
        }
        if let orderKey {
            assignments.append("\(quotedIdentifier(orderKey)) = l.\(other)Order")
        }
        return write(assignments, into: table, column: column, key: own)
    }

    /// Writes the owner's column of a to-many relationship without inverse.
    func writeOwner(table: String, column: String, orderKey: String?) -> MigrationStep {
        var assignments = ["\(quotedIdentifier(column)) = l.source"]
        if let orderKey { assignments.append("\(quotedIdentifier(orderKey)) = l.sourceOrder") }
        return write(assignments, into: table, column: column, key: "destination")
    }

    private func write(
        _ assignments: [String],
        into table: String,
        column: String,
        key: String
    ) -> MigrationStep {
        MigrationStep(
            "write the links of \(table).\(column)",
            .rows,
            "UPDATE \(quotedIdentifier(table)) SET \(assignments.joined(separator: ", ")) "
                + "FROM temp.\(links) AS l WHERE \(quotedIdentifier(table)).Z_PK = l.\(key)"
        )
    }

    /// The known place of an object in an order, else one after the other by key.
    ///
    /// Core Data's places are multiples of 1024, the first 2048 (STORE_LAYOUT 5.2).
    private static func order(_ known: String, of object: String, for owner: String) -> String {
        let place = "row_number() OVER (PARTITION BY \(owner) ORDER BY \(known), \(object))"
        return "COALESCE(\(known), 1024 * (1 + \(place)))"
    }

    /// Numbers the objects of an ordered to-many relationship that had no order, by key.
    static func assignOrder(table: String, key: String, orderKey: String) -> MigrationStep {
        let (name, key, order) = (
            quotedIdentifier(table), quotedIdentifier(key), quotedIdentifier(orderKey)
        )
        let places = """
            SELECT Z_PK AS id, 1024 * (1 + row_number() OVER \
            (PARTITION BY \(key) ORDER BY \(order) IS NULL, \(order), Z_PK)) AS place \
            FROM \(name) WHERE \(key) IS NOT NULL
            """
        return MigrationStep(
            "number the objects in the order of \(table).\(orderKey)",
            .rows,
            "UPDATE \(name) SET \(order) = p.place FROM (\(places)) AS p WHERE \(name).Z_PK = p.id"
        )
    }
}

import SQLiteAccess
import StoreFormat

extension RowChange {
    var linkSQL: String {
        switch self {
        case .keepFirst(let links, let side):
            let order = side == .source ? "sourceOrder, destination" : "destinationOrder, source"
            let ranking = """
                SELECT rowid AS id, row_number() OVER (PARTITION BY \(side.rawValue) ORDER BY \
                \(order)) AS place FROM temp.\(links)
                """
            return "DELETE FROM temp.\(links) WHERE rowid IN "
                + "(SELECT id FROM (\(ranking)) WHERE place > 1)"
        case .fillJoinTable(let table, let query):
            return "INSERT INTO \(quotedIdentifier(table.name)) "
                + "(\(columnList([table.first.name, table.second.name]))) "
                + "SELECT source, destination FROM (\(query)) ORDER BY 1, 2"
        case .writeJoinTable(let table, let links, let ignoresKnown):
            return Self.write(table, links, ignoresKnown)
        case .writeForeignKey(let key, let links, let side): return Self.write(key, links, side)
        case .writeOwner(let table, let column, let orderKey, let links):
            let values =
                ["\(quotedIdentifier(column)) = l.source"]
                + (orderKey.map { ["\(quotedIdentifier($0)) = l.sourceOrder"] } ?? [])
            return Self.update(table, values, links, .destination)
        case .assignOrder(let table, let key, let orderKey):
            return Self.assignOrder(table, key, orderKey)
        default: return ""
        }
    }

    private static func write(_ table: JoinTable, _ links: String, _ ignoresKnown: Bool) -> String {
        var columns = [table.first.name, table.second.name]
        var values = ["source", "destination"]
        if let key = table.first.orderKey {
            columns.append(key)
            let place = order("destinationOrder", of: "source", for: "destination")
            values.append(ignoresKnown ? behind(table.second.name, key, table, place) : place)
        }
        if let key = table.second.orderKey {
            columns.append(key)
            let place = order("sourceOrder", of: "destination", for: "source")
            values.append(ignoresKnown ? behind(table.first.name, key, table, place) : place)
        }
        let rows = """
            SELECT source, destination, min(sourceOrder) AS sourceOrder, \
            min(destinationOrder) AS destinationOrder FROM temp.\(links) GROUP BY 1, 2
            """
        return "INSERT \(ignoresKnown ? "OR IGNORE " : "")INTO \(quotedIdentifier(table.name)) "
            + "(\(columnList(columns))) SELECT \(values.joined(separator: ", ")) FROM (\(rows))"
    }

    private static func write(_ key: ForeignKey, _ links: String, _ side: LinkSide) -> String {
        let other = side.other.rawValue
        var values = ["\(quotedIdentifier(key.column)) = l.\(other)"]
        if let column = key.entityColumn {
            let rows = "SELECT Z_ENT FROM \(quotedIdentifier(key.destinationTable))"
            values.append("\(quotedIdentifier(column)) = (\(rows) WHERE Z_PK = l.\(other))")
        }
        if let column = key.orderKey {
            values.append("\(quotedIdentifier(column)) = l.\(other)Order")
        }
        return update(key.table, values, links, side)
    }

    private static func update(
        _ table: String,
        _ values: [String],
        _ links: String,
        _ side: LinkSide
    ) -> String {
        "UPDATE \(quotedIdentifier(table)) SET \(values.joined(separator: ", ")) "
            + "FROM temp.\(links) AS l WHERE \(quotedIdentifier(table)).Z_PK = l.\(side.rawValue)"
    }

    /// The known position of an object in an order, or by key.
    ///
    /// Core Data's order keys are multiples of 1024, the first 2048 (SQLiteStores, "Ordered relationships").
    private static func order(_ known: String, of object: String, for owner: String) -> String {
        let place = "row_number() OVER (PARTITION BY \(owner) ORDER BY \(known), \(object))"
        return "COALESCE(\(known), 1024 * (1 + \(place)))"
    }

    /// The position of a link after those that code of policies already created for an owner.
    private static func behind(
        _ owner: String,
        _ key: String,
        _ table: JoinTable,
        _ place: String
    ) -> String {
        let isOwner = owner == table.first.name ? "source" : "destination"
        return "\(place) + COALESCE((SELECT max(j.\(quotedIdentifier(key))) "
            + "FROM \(quotedIdentifier(table.name)) AS j "
            + "WHERE j.\(quotedIdentifier(owner)) = \(isOwner)) - 1024, 0)"
    }

    /// Numbers the objects of an ordered to-many relationship that had no order, by key.
    private static func assignOrder(_ table: String, _ key: String, _ orderKey: String) -> String {
        let (name, key, order) = (
            quotedIdentifier(table), quotedIdentifier(key), quotedIdentifier(orderKey)
        )
        let places = """
            SELECT Z_PK AS id, 1024 * (1 + row_number() OVER \
            (PARTITION BY \(key) ORDER BY \(order) IS NULL, \(order), Z_PK)) AS place \
            FROM \(name) WHERE \(key) IS NOT NULL
            """
        return
            "UPDATE \(name) SET \(order) = p.place FROM (\(places)) AS p WHERE \(name).Z_PK = p.id"
    }
}

package import SQLiteAccess
package import StoreFormat
package import ObjectModel

/// A change of rows, or of what is kept about them meanwhile.
///
/// `links` and `objects` name temporary tables: links have the columns `source`, `destination`, `sourceOrder` and
/// `destinationOrder`; objects say which one became which.
package enum RowChange: Sendable, Hashable {
    package struct Assignment: Sendable, Hashable {
        package var column: String
        /// The value, over the row before the change.
        package var value: RowExpression
    }

    package struct Rows: Sendable, Hashable {
        /// The numbers of the entities; `nil` for all.
        package var numbers: [Int]?
        /// For an entity of which not all objects take part, the temporary table of those that do.
        package var taken: [Taken] = []
        /// Whether it selects all other rows instead.
        package var isInverted = false

        package struct Taken: Sendable, Hashable {
            package var number: Int
            package var table: String
        }
    }

    /// Rows get new values in place.
    case update(table: String, [Assignment], numbers: [Int]?)
    case delete(table: String, Rows)
    /// Rows of no entity of their table go: under new numbers they might become objects.
    case removeStrays(table: String, numbers: [Int])
    case copy(from: String, into: EntityTable, [Assignment], Rows)
    /// A query is kept in a temporary table; `what` describes it.
    case capture(String, query: String, what: String)
    /// The result of a query is added to a temporary table.
    case add(to: String, columns: [String], query: String, what: String)
    /// Marks the first object among several that become one.
    case markFirst(objects: String, above: String)
    case insert(captured: String, into: String, columns: [String])
    /// Keeps one link of each object on a side: the first in order, or the oldest.
    case keepFirst(links: String, of: LinkSide)
    /// A query's links are written into a join table, in the order of its key.
    case fillJoinTable(JoinTable, query: String)
    case writeJoinTable(JoinTable, links: String, ignoresKnown: Bool)
    case writeForeignKey(ForeignKey, links: String, side: LinkSide)
    /// Captured links are written into the column of an object's owner.
    case writeOwner(table: String, column: String, orderKey: String?, links: String)
    /// Objects without a position in an order get one.
    case assignOrder(table: String, key: String, orderKey: String)
    case derive(PropertyReference, table: String, column: String, value: String, numbers: [Int])
    /// `Z_PRIMARYKEY` gets the entities of the new version; rows are written in SQL.
    case writePrimaryKeys([String])
    /// The records in a system table about removed entities, or about objects that leave theirs, go.
    case forget(table: String, where: String, what: String)
    /// `Z_PRIMARYKEY` gets the greatest key of a table.
    case countKeys(table: String, number: Int)
    case renumberEntities(table: String, column: String, RowExpression, of: [Int])
    /// Rows that meet a condition over the row `t` get a value; `what` describes its purpose.
    case write(table: String, column: String, value: String, where: String, what: String)
    /// Rows that meet a condition on the row `t` are removed, as many as were counted; `what` describes them.
    case remove(table: String, where: String, count: Int64, what: String)
    /// Lists with missing or repeated order keys are renumbered in their old order.
    case renumberLists(OrderKeys, what: String)
    /// `Z_MAX` becomes the greatest key that was used.
    case setKey(number: Int64, entity: String, from: Int64, to: Int64)
    case replaceRecord(table: String, [RecordValue])

    package struct OrderKeys: Sendable, Hashable {
        package var table: String
        package var key: String
        /// The column of the object that has the list.
        package var owner: String
        /// The column that identifies the rows.
        package var rowKey: String
    }

    package struct RecordValue: Sendable, Hashable {
        package var column: String
        package var value: SQLiteValue
    }

    package struct ForeignKey: Sendable, Hashable {
        package var table: String
        package var column: String
        package var entityColumn: String?
        /// The column of the order key of the inverse.
        package var orderKey: String?
        package var destinationTable: String
    }

    package enum LinkSide: String, Sendable, Hashable {
        case source
        case destination

        var other: LinkSide { self == .source ? .destination : .source }
    }

    /// What the time of the change grows with; tables of entity numbers are negligibly small.
    var effort: ProgramStep.Effort {
        switch self {
        case .writePrimaryKeys, .countKeys, .setKey, .replaceRecord: .schema
        case .forget(let table, _, _): table == "Z_PRIMARYKEY" ? .schema : .rows
        case .removeStrays: .rows
        case .capture(let name, _, _): name == Self.keys ? .schema : .rows
        case .update, .delete, .copy, .add, .markFirst, .insert, .keepFirst, .fillJoinTable,
            .writeJoinTable, .writeForeignKey, .writeOwner, .assignOrder, .derive,
            .renumberEntities, .write, .remove, .renumberLists:
            .rows
        }
    }

    /// The temporary table that keeps the greatest keys.
    static let keys = "momtool_keys"

    var purpose: String {
        switch self {
        case .update(let table, _, _): "write new values into \(table)"
        case .delete(let table, let rows):
            rows.taken.isEmpty
                ? "delete the rows of removed entities from \(table)"
                : "delete unmapped rows from \(table)"
        case .removeStrays(let table, _): "delete the rows with an unknown entity from \(table)"
        case .copy(let old, let table, _, _): "copy the rows of \(old) into \(table.name)"
        case .capture(_, _, let what): "capture \(what)"
        case .add(_, _, _, let what): what
        case .markFirst: "find which objects are created"
        case .insert(_, let table, _): "insert new rows into \(table)"
        case .keepFirst(_, let side): "keep one link for each \(side.rawValue)"
        case .fillJoinTable(let table, _), .writeJoinTable(let table, _, _):
            "write the links of \(table.name)"
        case .writeForeignKey(let key, _, _): "write the links of \(key.table).\(key.column)"
        case .writeOwner(let table, let column, _, _): "write the links of \(table).\(column)"
        case .assignOrder(let table, _, let key):
            "number the objects in the order of \(table).\(key)"
        case .derive(let property, _, _, _, _): "compute \(property)"
        case .writePrimaryKeys: "write the new entity numbers"
        case .countKeys(let table, _): "store the highest key of \(table)"
        case .renumberEntities(let table, _, _, _): "renumber the entities in \(table)"
        case .write(_, _, _, _, let what), .remove(_, _, _, let what), .renumberLists(_, let what),
            .forget(_, _, let what):
            what
        case .setKey(_, let entity, let old, let key):
            "\(key < old ? "lower" : "raise") Z_MAX of '\(entity)' from \(old) to \(key)"
        case .replaceRecord("Z_PRIMARYKEY", let values):
            values.compactMap(\.value.text).first.map { "write the row of '\($0)' in Z_PRIMARYKEY" }
                ?? "write the row of Z_PRIMARYKEY"
        case .replaceRecord(let table, _): "write the row of \(table)"
        }
    }

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

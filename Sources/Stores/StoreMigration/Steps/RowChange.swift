package import SQLiteAccess
package import StoreFormat

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
    /// `Z_PRIMARYKEY` is raised to a key that was used.
    case raiseKey(number: Int64, entity: String, from: Int64, to: Int64)
    /// A row of a system table is written, replacing one with its key.
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
    var effort: MigrationStep.Effort {
        switch self {
        case .writePrimaryKeys, .countKeys, .raiseKey, .replaceRecord: .schema
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
        case .raiseKey(_, let entity, let old, let key):
            "raise Z_MAX of '\(entity)' from \(old) to \(key)"
        case .replaceRecord("Z_PRIMARYKEY", let values):
            values.compactMap(\.value.text).first.map { "write the row of '\($0)' in Z_PRIMARYKEY" }
                ?? "write the row of Z_PRIMARYKEY"
        case .replaceRecord(let table, _): "write the row of \(table)"
        }
    }
}

package import SQLiteAccess
package import StoreFormat

/// A change of rows, or of what is remembered of them meanwhile.
///
/// `links` and `objects` name temporary tables: links have the columns `source`, `destination`, `sourceOrder` and
/// `destinationOrder`; objects say which one became which.
package enum RowChange: Sendable, Hashable {
    /// A column with the value that it gets.
    package struct Assignment: Sendable, Hashable {
        /// The column.
        package var column: String
        /// The value, over the row before the change.
        package var value: RowExpression
    }

    /// Which rows of an old table are meant.
    package struct Rows: Sendable, Hashable {
        /// The numbers of the entities; `nil` for all.
        package var numbers: [Int]?
        /// For an entity of which not all objects take part, the temporary table that lists those that do.
        package var taken: [Taken] = []
        /// Whether the rows are meant that are not of these.
        package var isInverted = false

        /// The objects of an entity that take part.
        package struct Taken: Sendable, Hashable {
            /// The number of the entity.
            package var number: Int
            /// The temporary table.
            package var table: String
        }
    }

    /// Rows get new values where they are.
    case update(table: String, [Assignment], numbers: [Int]?)
    /// Rows go.
    case delete(table: String, Rows)
    /// Rows go that are of none of the entities of their table: under new numbers they might become objects.
    case removeStrays(table: String, numbers: [Int])
    /// Rows are copied from an old table into a new one.
    case copy(from: String, into: EntityTable, [Assignment], Rows)
    /// A query is kept in a temporary table; `what` says what of.
    case capture(String, query: String, what: String)
    /// What a query gives is added to a temporary table.
    case add(to: String, columns: [String], query: String, what: String)
    /// The first object that is made of several is marked.
    case markFirst(objects: String, above: String)
    /// The rows that were captured are added to a table.
    case insert(captured: String, into: String, columns: [String])
    /// Leaves one link to each object on a side: the first in order, else the oldest.
    case keepFirst(links: String, of: LinkSide)
    /// Links are written into a join table, in the order of its key; `query` gives them.
    case fillJoinTable(JoinTable, query: String)
    /// Captured links are written into a join table.
    case writeJoinTable(JoinTable, links: String, ignoresKnown: Bool)
    /// Captured links are written into the columns of a to-one relationship.
    case writeForeignKey(ForeignKey, links: String, side: LinkSide)
    /// Captured links are written into the column that keeps the owner of an object.
    case writeOwner(table: String, column: String, orderKey: String?, links: String)
    /// The objects of an order get places where they have none.
    case assignOrder(table: String, key: String, orderKey: String)
    /// A derived attribute is computed.
    case derive(PropertyReference, table: String, column: String, value: String, numbers: [Int])
    /// `Z_PRIMARYKEY` gets the entities of the new version; rows are written in SQL.
    case writePrimaryKeys([String])
    /// The entities of the old version leave `Z_PRIMARYKEY`.
    case forgetPrimaryKeys([Int])
    /// `Z_PRIMARYKEY` gets to know the greatest key of a table.
    case countKeys(table: String, number: Int)
    /// What a system table says of entities that are gone goes.
    case forgetEntities(table: String, column: String, [Int])
    /// What a system table says of objects that do not stay in their entity goes, by a condition on its rows.
    case forgetObjects(table: String, where: String)
    /// A system table gets the new numbers of entities.
    case renumberEntities(table: String, column: String, RowExpression, of: [Int])
    /// Rows that meet a condition over the row `t` get a value; `what` says what that is for.
    case write(table: String, column: String, value: String, where: String, what: String)
    /// Rows that meet a condition over the row `t` go, as many as were counted; `what` says what they are.
    case remove(table: String, where: String, count: Int64, what: String)
    /// The rows of lists whose order keys are missing or not unique are numbered in their old order.
    case renumberLists(OrderKeys, what: String)
    /// `Z_PRIMARYKEY` gets to know a key that was handed out.
    case raiseKey(number: Int64, entity: String, from: Int64, to: Int64)
    /// A row of a system table is written, in place of one with its key.
    case replaceRecord(table: String, [RecordValue])

    /// The order keys of lists that stand in one table.
    package struct OrderKeys: Sendable, Hashable {
        /// The table.
        package var table: String
        /// The column of the order keys.
        package var key: String
        /// The column of the object that has the list.
        package var owner: String
        /// The column that names the rows.
        package var rowKey: String
    }

    /// A value of a row of a system table.
    package struct RecordValue: Sendable, Hashable {
        /// The column.
        package var column: String
        /// The value.
        package var value: SQLiteValue
    }

    /// The columns of a to-one relationship.
    package struct ForeignKey: Sendable, Hashable {
        /// The table.
        package var table: String
        /// The column of the destination's key.
        package var column: String
        /// The column of the destination's entity.
        package var entityColumn: String?
        /// The column of the place in the inverse's order.
        package var orderKey: String?
        /// The table of the destination.
        package var destinationTable: String
    }

    /// A side of links.
    package enum LinkSide: String, Sendable, Hashable {
        /// The objects that have the relationship.
        case source
        /// The objects that it leads to.
        case destination

        var other: LinkSide { self == .source ? .destination : .source }
    }
}

extension RowChange {
    /// What the time of the change grows with: the tables of entities are as good as empty.
    var effort: MigrationStep.Effort {
        switch self {
        case .writePrimaryKeys, .forgetPrimaryKeys, .countKeys, .raiseKey, .replaceRecord: .schema
        case .removeStrays: .rows
        case .capture(let name, _, _): name == Self.keys ? .schema : .rows
        case .update, .delete, .copy, .add, .markFirst, .insert, .keepFirst, .fillJoinTable,
            .writeJoinTable, .writeForeignKey, .writeOwner, .assignOrder, .derive,
            .forgetEntities, .forgetObjects, .renumberEntities, .write, .remove, .renumberLists:
            .rows
        }
    }

    /// The temporary table that keeps the greatest keys.
    static let keys = "momtool_keys"

    /// What the change does.
    var purpose: String {
        switch self {
        case .update(let table, _, _): "write new values into \(table)"
        case .delete(let table, let rows):
            rows.taken.isEmpty
                ? "delete the rows of removed entities from \(table)"
                : "delete the rows that do not take part from \(table)"
        case .removeStrays(let table, _): "delete the rows of no entity from \(table)"
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
        case .forgetPrimaryKeys: "remove the old entity numbers"
        case .countKeys(let table, _): "store the highest key of \(table)"
        case .forgetEntities(let table, _, _): "delete removed entities from \(table)"
        case .forgetObjects(let table, _):
            "delete the records of objects that do not stay in their entity from \(table)"
        case .renumberEntities(let table, _, _, _): "renumber the entities in \(table)"
        case .write(_, _, _, _, let what), .remove(_, _, _, let what), .renumberLists(_, let what):
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

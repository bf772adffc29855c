import SQLiteAccess
import StoreFormat

/// The columns that hold a link of a row, as SQL names them.
struct KeyColumns {
    /// The name of the table as it is.
    let tableName: String
    let table: String
    let column: String
    let entityColumn: String?
    let orderKey: String?

    init(_ table: String, _ column: String, _ entityColumn: String?, _ orderKey: String?) {
        tableName = table
        self.table = quotedIdentifier(table)
        self.column = quotedIdentifier(column)
        self.entityColumn = entityColumn.map(quotedIdentifier)
        self.orderKey = orderKey.map(quotedIdentifier)
    }

    /// The columns in the rows that a to-many relationship leads to; `nil` where its links have a table of their own.
    init?(ofMembersOf storage: RelationshipStorage) {
        switch storage {
        case .inverseForeignKey(let table, let column, let entityColumn, let orderKey):
            self.init(table, column, entityColumn, orderKey)
        case .ownerColumn(let table, let column, let orderKey):
            self.init(table, column, nil, orderKey)
        case .joinTable, .foreignKey, .none: return nil
        }
    }

    /// The assignments that let the columns lead nowhere.
    var clearing: String {
        [column, entityColumn, orderKey].compactMap(\.self).map { "\($0) = NULL" }
            .joined(separator: ", ")
    }
}

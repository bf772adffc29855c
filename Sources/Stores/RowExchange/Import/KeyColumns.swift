import SQLiteAccess

struct KeyColumns {
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
}

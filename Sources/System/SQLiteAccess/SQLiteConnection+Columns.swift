package struct TableColumn: Sendable, Hashable {
    package var table: String
    package var name: String
    /// Its declared type; empty where there is none.
    package var type: String
}

extension SQLiteConnection {
    /// Returns the columns of all tables, those of each in order.
    ///
    /// Virtual tables are left out: only their module, which may be missing, knows their columns.
    package func columns() throws(StoreError) -> [TableColumn] {
        let sql =
            "SELECT m.name, c.name, c.type FROM main.sqlite_master AS m, pragma_table_info(m.name) AS c "
            + "WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL%'"
        return try rows(sql).compactMap { row in
            guard let table = row[0].text, let name = row[1].text else { return nil }
            return TableColumn(table: table, name: name, type: row[2].text ?? "")
        }
    }
}

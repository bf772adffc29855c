/// Makes many tables, indexes and triggers in time that is linear in their number.
///
/// After each `CREATE` SQLite goes through all rows of the schema (vdbe.c, OP_ParseSchema), so that a hundred thousand
/// take hours. Here the rows are set aside after each few hundred statements and put back at the end, in their order,
/// so that the database is the same to the byte; SQLite documents how to write them (sqlite.org/pragma.html,
/// writable_schema). It is for new databases, which a failure discards.
package struct SchemaBuilding {
    package struct Statement: Sendable {
        /// The existing table that the object belongs to; `nil` for a new table.
        var table: String?
        var sql: String

        package static func table(_ sql: String) -> Statement { Statement(table: nil, sql: sql) }

        package static func object(of table: String, _ sql: String) -> Statement {
            Statement(table: table, sql: sql)
        }
    }

    private let connection: SQLiteConnection
    private let stride: Int

    /// Makes objects inside the open transaction; no statement may be a virtual table's.
    ///
    /// The schema is set aside after every `stride` statements.
    package static func run(
        _ statements: [Statement],
        on connection: SQLiteConnection,
        stride: Int = 500
    ) throws(StoreError) {
        let building = SchemaBuilding(connection: connection, stride: stride)
        guard statements.count > 2 * stride else {
            for statement in statements { try connection.execute(statement.sql) }
            return
        }
        do throws(StoreError) { try building.run(statements) } catch {
            // SQLite knows the schema without the rows that are set aside.
            try connection.execute("PRAGMA writable_schema = RESET")
            throw error
        }
    }

    private func run(_ statements: [Statement]) throws(StoreError) {
        try connection.execute(
            "CREATE TEMP TABLE kept (type, name, tbl_name, rootpage, sql, number INTEGER PRIMARY KEY)"
        )
        try connection.execute("CREATE INDEX temp.kept_of_table ON kept (tbl_name)")
        try connection.execute("CREATE TEMP TABLE wanted (tbl_name PRIMARY KEY)")
        try connection.writingSchema { () throws(StoreError) in try setAside(after: 0) }
        var start = 0
        while start < statements.count {
            let part = statements[start..<min(start + stride, statements.count)]
            var shown = 0
            try connection.writingSchema { () throws(StoreError) in
                shown = try show(tables(of: part))
            }
            for statement in part { try connection.execute(statement.sql) }
            try connection.writingSchema { () throws(StoreError) in try setAside(after: shown) }
            start += stride
        }
        try connection.writingSchema { () throws(StoreError) in
            try connection.execute(
                "INSERT INTO main.sqlite_master SELECT \(Self.columns) FROM temp.kept ORDER BY number"
            )
        }
        try connection.execute("DROP TABLE temp.kept")
        try connection.execute("DROP TABLE temp.wanted")
        // This detects malformed rows.
        try connection.execute("SELECT count(*) FROM sqlite_master")
    }

    private static let columns = "type, name, tbl_name, rootpage, sql"

    private func tables(of statements: ArraySlice<Statement>) -> [String] {
        Set(statements.compactMap(\.table)).sorted()
    }

    /// Removes all rows from the schema, and keeps those after the ones that were shown.
    private func setAside(after shown: Int) throws(StoreError) {
        try connection.execute(
            """
            INSERT INTO temp.kept (\(Self.columns)) SELECT \(Self.columns) FROM main.sqlite_master \
            ORDER BY rowid LIMIT -1 OFFSET \(shown)
            """
        )
        try connection.execute("DELETE FROM main.sqlite_master")
    }

    /// Puts tables with all that belongs to them back into the schema, and returns the number of their rows.
    private func show(_ tables: [String]) throws(StoreError) -> Int {
        try connection.execute("DELETE FROM temp.wanted")
        for table in tables {
            try connection.execute("INSERT INTO temp.wanted VALUES (?)", [.text(table)])
        }
        try connection.execute(
            """
            INSERT INTO main.sqlite_master SELECT \(Self.columns) FROM temp.kept \
            WHERE tbl_name IN (SELECT tbl_name FROM temp.wanted) ORDER BY number
            """
        )
        return connection.changeCount
    }
}

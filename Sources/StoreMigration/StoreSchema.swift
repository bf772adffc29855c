import SQLiteAccess
import StoreFormat

/// What is really in a store: its tables with their columns, its indexes and triggers.
///
/// Migrated stores bear traces of their past (STORE_LAYOUT section 11), so that a layout alone is not
/// enough to change one.
struct StoreSchema: Sendable, Hashable {
    struct Object: Sendable, Hashable {
        var name: String
        var table: String
        /// The statement that made it; empty for what SQLite made itself.
        var sql: String
        /// The columns of an index; empty for anything else, and where an index has expressions.
        var columns: [String] = []
    }

    /// The columns of each table, in order.
    var columns: [String: [String]] = [:]
    var indexes: [Object] = []
    var triggers: [Object] = []

    /// Whether a table is there.
    func hasTable(_ name: String) -> Bool { columns[name] != nil }

    /// Reads the schema of an open store.
    init(_ connection: SQLiteConnection) throws(StoreError) {
        let rows = try connection.rows(
            "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY rowid"
        )
        for row in rows {
            guard let type = row[0].text, let name = row[1].text, let table = row[2].text else {
                continue
            }
            let object = Object(name: name, table: table, sql: row[3].text ?? "")
            switch type {
            // What a virtual table has is known to its module alone, which need not be here.
            case "table" where object.sql.isVirtualTable: columns[name] = []
            case "table":
                columns[name] = try connection.rows(
                    "SELECT name FROM pragma_table_info(?)",
                    [.text(name)]
                ).compactMap { $0[0].text }
            case "index" where !object.sql.isEmpty:
                indexes.append(object)
                indexes[indexes.count - 1].columns = try connection.rows(
                    "SELECT name FROM pragma_index_info(?)",
                    [.text(name)]
                ).compactMap { $0[0].text }
            case "trigger": triggers.append(object)
            default: break
            }
        }
    }

    init() {}

    /// Returns what a layout needs and the store lacks: tables, or columns as `TABLE.COLUMN`.
    func missing(from layout: StoreLayout) -> [String] {
        let tables = layout.tables.map { ($0.name, $0.columns.map(\.name)) }
        let joins = layout.joinTables.map { ($0.name, $0.columnNames) }
        return (tables + joins).flatMap { table, names in
            guard let present = columns[table] else { return [table] }
            return names.filter { !present.contains($0) }.map { "\(table).\($0)" }
        }
    }
}

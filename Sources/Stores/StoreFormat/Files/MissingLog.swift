import SQLiteAccess

/// Says that a store has no rows at all where its write-ahead log may hold them, and no log lies beside it.
///
/// Whoever copies the main file of a store alone leaves behind what its app saved last, at worst everything.
///
/// - Parameter path: the path of the store.
/// - Returns: what to ask; `nil` for a store with rows, with a log, or that keeps none, and for what is no database.
package func missingLog(ofStoreAt path: String) -> String? {
    guard let store = try? StoreFile(path: path, requiringSystemTables: false),
        store.lacksLog,
        let tables = try? store.schema().filter(\.isEntityTable),
        !tables.contains(where: { hasRows($0.name, in: store) })
    else { return nil }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return "no rows at all, and no \(name)-wal beside it: was the log copied too?"
}

/// Whether a table has rows; a table that cannot be read is not known to have none.
private func hasRows(_ table: String, in store: StoreFile) -> Bool {
    let sql = "SELECT 1 FROM \(quotedIdentifier(table)) LIMIT 1"
    guard let row = try? store.connection.rows(sql) else { return true }
    return !row.isEmpty
}

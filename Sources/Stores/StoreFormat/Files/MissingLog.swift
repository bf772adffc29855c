import SQLiteAccess

/// Says that a store has no rows at all where its write-ahead log may hold them, and no log lies beside it.
///
/// Whoever copies the main file of a store alone leaves behind what its app saved last, at worst everything.
///
/// - Parameter path: the path of the store.
/// - Returns: what to ask; `nil` for a store with rows, with a log, or that keeps none, and for what is no database.
package func missingLog(ofStoreAt path: String) -> String? {
    guard let store = try? StoreFile(path: path, requiringSystemTables: false),
        let question = store.lostLogQuestion,
        let tables = try? store.schema().filter(\.isEntityTable),
        // A table that cannot be read is not known to have none.
        !tables.contains(where: { (try? store.hasRows($0.name)) ?? true })
    else { return nil }
    return "no rows at all\(question)"
}

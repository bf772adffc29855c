import SQLiteAccess

extension StoreFile {
    /// What to ask of a store that has no rows at all where its write-ahead log may hold them, and no log lies beside it; `nil`
    /// for a store with rows, with a log, or that keeps none.
    ///
    /// Whoever copies the main file of a store alone leaves behind what its app saved last, at worst everything.
    package var missingLog: String? {
        guard let question = lostLogQuestion,
            let tables = try? schema().filter(\.isEntityTable),
            // A table that cannot be read is not known to have none.
            !tables.contains(where: { (try? hasRows($0.name)) ?? true })
        else { return nil }
        return "no rows at all\(question)"
    }
}

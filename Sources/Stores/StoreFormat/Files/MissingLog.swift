import SQLiteAccess

extension StoreFile {
    /// What to ask about a store without any rows whose write-ahead log, which may hold them, is missing; `nil` for a
    /// store with rows, with a log, or that keeps none.
    ///
    /// A copy of the main file alone lacks what its app saved last, at worst everything.
    package var missingLog: String? {
        guard let question = lostLogQuestion,
            let tables = try? schema().filter(\.isEntityTable),
            // A table that cannot be read may have rows.
            !tables.contains(where: { (try? hasRows($0.name)) ?? true })
        else { return nil }
        return "no rows at all\(question)"
    }

    /// Whether a write-ahead log lies beside a store, and its main file is whole without it.
    ///
    /// SQLite plays a log back whatever database it belongs to: one left behind or copied from another store mixes
    /// pages of two databases in one file.
    package static func isWholeWithoutLog(_ path: String) -> Bool {
        guard StoreFiles(path: path).sidecars == ["-wal"],
            let store = try? StoreFile(path: path, passingLog: true),
            (try? store.integrityFaults())?.isEmpty == true
        else { return false }
        return (try? store.metadata().saysVersion) == true
    }
}

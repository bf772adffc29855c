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

    /// Whether a write-ahead log lies beside a store, and its main file is whole without it.
    ///
    /// A log is played back whatever database it is of: one of another store, left behind or copied there, makes pages of two
    /// databases one file.
    ///
    /// - Parameter path: the path of the store.
    /// - Returns: whether that is so.
    package static func isWholeWithoutLog(_ path: String) -> Bool {
        guard StoreFiles(path: path).sidecars == ["-wal"],
            let store = try? StoreFile(path: path, passingLog: true),
            (try? store.integrityFaults())?.isEmpty == true
        else { return false }
        return (try? store.metadata().saysVersion) == true
    }
}

import Essentials
import FileSystem
package import SQLiteAccess

extension StoreFile {
    /// The question for a store without rows whose write-ahead log, which may have them, is missing; `nil` for a store
    /// with rows, with a log, or that keeps none.
    ///
    /// A copy of only the main file lacks what its app saved last, at worst everything.
    package var missingLog: String? {
        guard let question = lostLogQuestion, let tables = try? schema().filter(\.isEntityTable),
            // A table that cannot be read may have rows.
            !tables.contains(where: { (try? hasRows($0.name)) ?? true })
        else { return nil }
        return "the store has no rows\(question)"
    }

    /// Whether there is a write-ahead log beside a store, and its main file is intact without it.
    ///
    /// SQLite replays a log into any database: one of another store mixes the pages of two.
    package static func isWholeWithoutLog(_ path: String) -> Bool {
        guard StoreFiles(path: path).sidecars == ["-wal"],
            let store = try? StoreFile(path: path, passingLog: true),
            (try? store.integrityFaults())?.isEmpty == true
        else { return false }
        return (try? store.metadata().saysVersion) == true
    }
}

/// The length of the write-ahead log beside a store in bytes; 0 without one.
package func logLength(of path: String) -> Int {
    Int(clamping: fileSize(StoreFiles(path: path).realPath + "-wal"))
}

package func strayLogWords(_ path: String) -> String {
    "without the write-ahead log beside it (\(logLength(of: path).counted("byte"))) the file is intact: "
        + "the log belongs to another store, or is damaged"
}

extension StoreError {
    /// The error with the write-ahead log as its cause where the file is intact without it.
    package var namingStrayLog: StoreError {
        // SQLITE_CORRUPT in a statement
        guard case .sqlite(let path, let code, _, _?) = self, code & 0xFF == 11,
            StoreFile.isWholeWithoutLog(path)
        else { return self }
        return .sqlite(path: path, code: code, message: strayLogWords(path), sql: nil)
    }
}

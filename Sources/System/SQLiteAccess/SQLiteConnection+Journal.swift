import CSQLite
import Essentials

extension SQLiteConnection {
    /// Sets the journal mode, which SQLite does not always do and does not count as a fault.
    package func setJournal(_ mode: String) throws(StoreError) {
        let sql = "PRAGMA journal_mode = \(mode)"
        let given = try value(sql)?.text ?? "none"
        guard given == mode else {
            throw .sqlite(path: path, code: SQLITE_ERROR, message: "stays \(given)", sql: sql)
        }
    }

    /// Whether changes go to a write-ahead log.
    package var usesWriteAheadLog: Bool {
        (try? value("PRAGMA journal_mode"))?.text == "wal"
    }

    /// Keeps everybody else away until the locking mode is set back and a transaction has ended.
    ///
    /// With a write-ahead log, a process that merely has the store open is in the way too: an application would go on
    /// with a store that has changed under it.
    package func lockExclusively() throws(StoreError) {
        try execute("PRAGMA locking_mode = EXCLUSIVE")
        try execute("BEGIN EXCLUSIVE")
        try execute("COMMIT")
    }

    /// Brings what is in a write-ahead log into the database, so that the log holds nothing but what comes now.
    package func emptyLog() throws(StoreError) {
        let result = try rows("PRAGMA main.wal_checkpoint(TRUNCATE)").first
        guard result?.first?.integer == 0 else { throw .inUse(path: path) }
    }

    /// Removes from a write-ahead log, empty before, a transaction that failed.
    ///
    /// When the log cannot be brought to disk SQLite calls the transaction failed, yet its end is in the log, and
    /// the next process that opens the database would take it for done.
    package func dropLog() {
        guard let name = sqlite3_db_filename(handle, "main"), name.pointee != 0 else { return }
        truncate(String(cString: name) + "-wal", 0)
    }
}

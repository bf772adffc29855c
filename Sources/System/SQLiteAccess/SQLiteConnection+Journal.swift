import CSQLite
import Essentials

extension SQLiteConnection {
    /// Sets the journal mode; SQLite may fail to do so without an error.
    package func setJournal(_ mode: String) throws(StoreError) {
        let sql = "PRAGMA journal_mode = \(mode)"
        let given = try value(sql)?.text ?? "none"
        guard given == mode else {
            throw .sqlite(path: path, code: SQLITE_ERROR, message: "stays \(given)", sql: sql)
        }
    }

    package var usesWriteAheadLog: Bool { (try? value("PRAGMA journal_mode"))?.text == "wal" }

    /// Keeps all others out until the locking mode is set back and a transaction has ended.
    ///
    /// With a write-ahead log, a process that merely has the store open is also an obstacle: an application would continue
    /// with a store that has changed under it.
    package func lockExclusively() throws(StoreError) {
        try execute("PRAGMA locking_mode = EXCLUSIVE")
        try execute("BEGIN EXCLUSIVE")
        try execute("COMMIT")
    }

    /// Moves a write-ahead log into the database, so that the log then holds only new changes.
    package func emptyLog() throws(StoreError) {
        let result = try rows("PRAGMA main.wal_checkpoint(TRUNCATE)").first
        guard result?.first?.integer == 0 else { throw .inUse(path: path) }
    }

    /// Says whether closing the connection leaves the log as it is, rather than moving it into the database.
    package func keepLog(_ isKept: Bool) { database_keep_log(handle, isKept ? 1 : 0) }

    /// Removes a failed transaction from a write-ahead log that had a length before.
    ///
    /// When the log cannot be synchronized to disk SQLite reports the transaction as failed, yet its end is in the log,
    /// and the next process that opens the database would take it for done.
    package func dropLog(to length: Int = 0) {
        guard let name = sqlite3_db_filename(handle, "main"), name.pointee != 0 else { return }
        truncate(String(cString: name) + "-wal", length)
    }
}

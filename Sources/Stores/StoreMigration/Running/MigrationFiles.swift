import Diagnostics
import Essentials
import FileSystem
import RowExchange
import SQLiteAccess
import StoreFormat

/// Migrates a copy of a store, which gets its name only when all went well.
///
/// The copy is made beside the new file, worked on, synchronized and then renamed, with the values in external files.
func migrateCopy(
    of store: StoreFile,
    toNewFile path: String,
    _ cancellation: MigrationCancellation? = nil,
    _ work: (SQLiteConnection) throws(StoreMigrationError) -> Void
) throws(StoreMigrationError) {
    let file = try storeErrors(WorkFile(for: path, like: store.path))
    let inlined: [String]
    do throws(StoreMigrationError) {
        inlined = try workOnCopy(
            of: store,
            at: file.path,
            reportedPath: store.path,
            cancellation,
            work
        )
    } catch { throw error.ofDisk(under: path) }
    try interruptible(cancellation) { () throws(StoreError) in
        try file.copyExternalData(of: store.path, stoppingWhen: isCancelled(cancellation))
        // Their values are in the new store itself.
        removeExternalFiles(inlined, in: file.externalData.path)
        try store.requireUnchanged()
        try file.publish()
    }
}

extension StoreMigrationError {
    /// The error with the copy's final path, where the disk there is at fault: any other fault is one of the store.
    fileprivate func ofDisk(under path: String) -> StoreMigrationError {
        // SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN
        guard case .store(.sqlite(_, let code, let message, let sql)) = self,
            [8, 10, 13, 14].contains(code & 0xFF)
        else { return self }
        return .store(.sqlite(path: path, code: code, message: message, sql: sql))
    }
}

/// Migrates a copy of a store at a private path; returns the names of external files whose values are now in the store.
@discardableResult
func workOnCopy(
    of store: StoreFile,
    at path: String,
    reportedPath: String,
    _ cancellation: MigrationCancellation? = nil,
    _ work: (SQLiteConnection) throws(StoreMigrationError) -> Void
) throws(StoreMigrationError) -> [String] {
    let connection = try interruptible(cancellation) { () throws(StoreError) in
        try store.copy(
            to: path,
            reportedPath: reportedPath,
            stoppingWhen: isCancelled(cancellation)
        )
    }
    let inlined = try inOneTransaction(on: connection, of: store.path, work)
    guard store.usesWriteAheadLog else { return inlined }
    try storeErrors(connection.setJournal("wal"))
    return inlined
}

/// Migrates a store in place, in one transaction, after a copy was made if wished.
///
/// `before` can refuse before a byte is written, even of that copy.
func migrateInPlace(
    path: String,
    backup: String?,
    _ cancellation: MigrationCancellation? = nil,
    before: (SQLiteConnection) throws(StoreMigrationError) -> Void = {
        _ throws(StoreMigrationError) in
    },
    _ work: (SQLiteConnection) throws(StoreMigrationError) -> Void
) throws(StoreMigrationError) {
    let connection = try interruptible(cancellation) { () throws(StoreError) in
        if let backup { try requireOwnFile(backup, for: path) }
        return try openAlone(path, keepingLog: true)
    }
    let identity = FileIdentity(of: path)
    try before(connection)
    let copy = try interruptible(cancellation) { () throws(StoreError) in
        try backup.flatMap { backup throws(StoreError) in
            let stop = isCancelled(cancellation)
            return try back(up: connection, from: path, to: backup, stoppingWhen: stop)
        }
    }
    do throws(StoreMigrationError) {
        let inlined = try inOneTransaction(on: connection, of: path) {
            connection throws(StoreMigrationError) in
            try work(connection)
            // A program of a stage may have done that.
            guard FileIdentity(of: path) == identity else {
                let reason = "it was removed or replaced during the change"
                throw .store(.inaccessible(path: path, reason: reason))
            }
        }
        connection.keepLog(false)
        dropExternalFiles(inlined, of: path)
    } catch {
        // A retry shall not fail because of the copy; when the disk is at fault it may be needed.
        if !error.isOfDisk, FileIdentity(of: path) == identity { copy?.withdraw() }
        throw error
    }
    // A log must be on disk with its folder before a transaction in it counts as done.
    if !connection.usesWriteAheadLog { synchronizeJournal(of: path) }
}

/// Checks that a backup is not the store under another name: it would pass for the backup of an interrupted run, and no
/// copy would be made.
private func requireOwnFile(_ backup: String, for path: String) throws(StoreError) {
    guard let identity = FileIdentity(of: backup), identity == FileIdentity(of: path) else {
        return
    }
    throw .cannotCreate(
        path: backup,
        reason: "it is the store itself; name another folder for the backup"
    )
}

/// Copies an open store, with its external files, to a new path.
///
/// An existing backup of the same store, made by an interrupted run, is kept; then the result is `nil`.
private func back(
    up connection: SQLiteConnection,
    from path: String,
    to backup: String,
    stoppingWhen shallStop: () -> Bool
) throws(StoreError) -> WorkFile? {
    let isThere = exists(backup)
    let file = try WorkFile(for: backup, like: path, keepsTimes: true, mayExist: isThere)
    try connection.copy(
        into: SQLiteConnection(path: file.path, mode: .create, reportedPath: backup),
        stoppingWhen: shallStop
    )
    if isThere {
        guard try file.holdsSameStore(withFilesOf: path) else { throw .alreadyExists(path: backup) }
        return nil
    }
    try file.copyExternalData(of: path, stoppingWhen: shallStop)
    try file.publish()
    return file
}

private func isCancelled(_ cancellation: MigrationCancellation?) -> () -> Bool {
    { cancellation?.isCancelled == true }
}

/// Runs code that copies files; a failure by cancellation becomes an interruption.
private func interruptible<Result>(
    _ cancellation: MigrationCancellation?,
    _ body: () throws(StoreError) -> Result
) throws(StoreMigrationError) -> Result {
    do throws(StoreError) { return try body() } catch {
        guard cancellation?.isCancelled != true else {
            throw .interrupted(stage: "the copy", isTimeout: false)
        }
        throw .store(error)
    }
}

/// Works on an open database in one transaction, which a fault rolls back; returns the external files now inlined.
private func inOneTransaction(
    on connection: SQLiteConnection,
    of store: String,
    _ work: (SQLiteConnection) throws(StoreMigrationError) -> Void
) throws(StoreMigrationError) -> [String] {
    let log = logLength(of: store)
    let inlined = try storeErrors { () throws(StoreError) in
        try connection.registerTriggerFunctions()
        try registerFoldings(on: connection)
        try ValueFitting.register(on: connection)
        let inlined = try ExternalForm.register(on: connection, of: store)
        try connection.execute("PRAGMA foreign_keys = OFF")
        // Otherwise SQLite would write the interim names of tables into views.
        try connection.execute("PRAGMA legacy_alter_table = ON")
        try connection.execute("PRAGMA cache_size = -8192")
        try connection.execute("BEGIN EXCLUSIVE")
        // The lock lasts as long as the transaction, and the journal is removed at its end.
        try connection.execute("PRAGMA locking_mode = NORMAL")
        return inlined
    }
    do throws(StoreMigrationError) {
        try work(connection)
        let read = inlined.withLock(\.self)
        let surplus = try storeErrors(ExternalForm.unnamed(read, on: connection))
        try storeErrors(connection.execute("COMMIT"))
        return surplus.sorted()
    } catch {
        // The user must know the first fault; after some of them SQLite has already rolled back.
        try? connection.execute("ROLLBACK")
        connection.dropLog(to: log)
        throw error
    }
}

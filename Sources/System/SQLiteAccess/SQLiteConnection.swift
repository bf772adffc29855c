import CSQLite
import Essentials

/// A connection to one database, for one thread at a time.
///
/// Schemas are not trusted: functions in them run only when they are marked harmless, and a quoted name that does not
/// exist is an error rather than a string.
package final class SQLiteConnection {
    package enum Mode: Sendable, Hashable {
        /// Read a file that does not change meanwhile; nothing is created beside it, and no lock is taken.
        case immutable
        case readWrite
        /// Read and write a file that is created when it does not exist.
        case create
    }

    /// The path that errors name, which is the user's even when a copy is open.
    package let path: String
    let handle: OpaquePointer
    /// What scripts may do; retained while SQLite uses it.
    var scriptGuard: ScriptGuard?
    /// Whether to continue; retained while SQLite uses it.
    var progressQuestion: ProgressQuestion?

    /// The rows that were written; retained while SQLite counts them.
    var rowCounter: RowCounter?

    /// The greatest length of a path in bytes, less the suffix of a journal (`MAX_PATHNAME` of SQLite's `os_unix.c`).
    private static let pathLimit = 512 - "-journal".utf8.count

    /// Opens a database; errors name `reportedPath`.
    package init(path: String, mode: Mode, reportedPath: String? = nil) throws(StoreError) {
        self.path = reportedPath ?? path
        // SQLite would end the path there, too.
        guard !path.hasNUL else { throw .noSuchFile(path: self.path) }
        let path = Surroundings.current.resolved(path)
        var handle: OpaquePointer?
        let flags =
            switch mode {
            case .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            case .readWrite: SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI
            case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI
            }
        // A path that begins with two slashes would pass for a host name.
        let scheme = path.hasPrefix("/") ? "file://" : "file:"
        let uri = scheme + percentEncoded(path) + (mode == .immutable ? "?immutable=1" : "")
        // One thread at a time uses a connection, so SQLite need not lock it.
        let unlocked = flags | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(uri, &handle, unlocked, nil)
        guard let handle, code == SQLITE_OK else {
            var message = String(cString: sqlite3_errstr(code))
            if path.utf8.count > Self.pathLimit {
                message += "; SQLite takes paths of up to \(Self.pathLimit) bytes"
            }
            sqlite3_close_v2(handle)
            throw .sqlite(path: self.path, code: code, message: message, sql: nil)
        }
        self.handle = handle
        database_refuse_quoted_strings(handle)
        sqlite3_busy_timeout(handle, 0)
        try execute("PRAGMA trusted_schema = OFF")
        try execute("PRAGMA cell_size_check = ON")
        try registerEncodingCheck()
    }

    deinit { sqlite3_close_v2(handle) }

    /// Ends the running statement, as soon as SQLite checks; callable from that statement's progress handler.
    package func interrupt() { sqlite3_interrupt(handle) }

    /// Runs a statement whose rows, if any, are ignored.
    package func execute(_ sql: String, _ arguments: [SQLiteValue] = []) throws(StoreError) {
        try query(sql, arguments) { _ throws(StoreError) in }
    }

    package func rows(
        _ sql: String,
        _ arguments: [SQLiteValue] = []
    ) throws(StoreError) -> [[SQLiteValue]] {
        var rows: [[SQLiteValue]] = []
        try query(sql, arguments) { row throws(StoreError) in rows.append(row) }
        return rows
    }

    /// Returns the first value of the first row; `nil` if there is no row.
    package func value(
        _ sql: String,
        _ arguments: [SQLiteValue] = []
    ) throws(StoreError) -> SQLiteValue? {
        try rows(sql, arguments).first?.first
    }

    /// Runs a statement and passes on its rows one by one.
    package func query(
        _ sql: String,
        _ arguments: [SQLiteValue] = [],
        _ body: ([SQLiteValue]) throws(StoreError) -> Void
    ) throws(StoreError) {
        // A text without a statement in it, such as a comment, does nothing.
        guard let handle = try prepare(sql) else { return }
        try Statement(handle, sql, on: self).run(arguments, body)
    }

    /// Registers the functions that the triggers of derived attributes call, so that rows can be written.
    ///
    /// Core Data learns through them which objects changed; here they do nothing (SQLiteStores, "Derived attributes").
    package func registerTriggerFunctions() throws(StoreError) {
        for verb in ["Updated", "InsertUpdated"] {
            let name = "NSCoreDataDATrigger\(verb)AffectedObjectValue"
            try define(name, 5, SQLITE_INNOCUOUS) { context, _, _ in sqlite3_result_null(context) }
        }
    }

    /// Defines a function of SQL, with its number of arguments, or -1 for any, and its properties.
    ///
    /// `context` is what it finds as its user data, and `release` takes at the end.
    func define(
        _ name: String,
        _ count: Int32,
        _ flags: Int32,
        _ context: UnsafeMutableRawPointer? = nil,
        releasedBy release: (@convention(c) (UnsafeMutableRawPointer?) -> Void)? = nil,
        _ function: @escaping SQLFunction
    ) throws(StoreError) {
        let flags = SQLITE_UTF8 | flags
        let code = sqlite3_create_function_v2(
            handle,
            name,
            count,
            flags,
            context,
            function,
            nil,
            nil,
            release
        )
        try check(code, name)
    }

    /// Registers a function of one text that gives a text, or NULL for other values.
    ///
    /// It gets UTF-8 that SQLite has checked or repaired.
    package func register(
        _ name: String,
        _ function: @escaping @Sendable (String) -> String
    ) throws(StoreError) {
        let box = Unmanaged.passRetained(TextFunction(body: function)).toOpaque()
        try define(
            name,
            1,
            SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
            box,
            releasedBy: { box in if let box { Unmanaged<TextFunction>.fromOpaque(box).release() } }
        ) { context, _, values in
            guard let function = sqlite3_user_data(context),
                let text = sqlite3_value_text(values?[0])
            else {
                sqlite3_result_null(context)
                return
            }
            let body = Unmanaged<TextFunction>.fromOpaque(function).takeUnretainedValue().body
            // A text may contain a zero byte, where a C string ends.
            let count = Int(sqlite3_value_bytes(values?[0]))
            let bytes = UnsafeBufferPointer(start: text, count: count)
            setResult(.text(body(String(decoding: bytes, as: UTF8.self))), context)
        }
    }

    /// Copies the whole database, in its present state, into an empty one.
    ///
    /// SQLite's backup copies page by page, in any journal mode, and never shows half a transaction.
    package func copy(
        into other: SQLiteConnection,
        stoppingWhen shallStop: () -> Bool = { false }
    ) throws(StoreError) {
        guard let backup = sqlite3_backup_init(other.handle, "main", handle, "main") else {
            try other.check(sqlite3_errcode(other.handle), "backup")
            return
        }
        var code = SQLITE_OK
        while code == SQLITE_OK {
            code = shallStop() ? SQLITE_INTERRUPT : sqlite3_backup_step(backup, Self.pagesAtOnce)
        }
        sqlite3_backup_finish(backup)
        guard code != SQLITE_DONE else { return }
        try other.check(code, "backup")
    }

    /// The pages that are copied between two checks for a stop: 16 MiB of the usual size.
    private static let pagesAtOnce: Int32 = 4096

    /// Writes the schema as text, and has SQLite read it again, also after an error.
    ///
    /// SQLite refuses that on Apple's systems by default.
    func writingSchema(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        let isDefended = database_defensive(handle, -1) != 0
        _ = database_defensive(handle, 0)
        defer { _ = database_defensive(handle, isDefended ? 1 : 0) }
        try execute("PRAGMA writable_schema = ON")
        do throws(StoreError) { try body() } catch {
            try execute("PRAGMA writable_schema = RESET")
            throw error
        }
        try execute("PRAGMA writable_schema = RESET")
    }

    package var changeCount: Int { Int(sqlite3_changes64(handle)) }

    /// Prepares a statement that the caller finalizes; `nil` when there is none in the text.
    func prepare(_ sql: String, _ flags: Int32 = 0) throws(StoreError) -> OpaquePointer? {
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v3(handle, sql, -1, UInt32(flags), &statement, nil), sql)
        return statement
    }

    func check(_ code: Int32, _ sql: String) throws(StoreError) {
        guard code != SQLITE_OK else { return }
        let message = String(cString: sqlite3_errmsg(handle))
        if code & 0xFF == SQLITE_BUSY || code & 0xFF == SQLITE_LOCKED { throw .inUse(path: path) }
        if code & 0xFF == SQLITE_NOTADB { throw .notADatabase(path: path, mayBeEncrypted: true) }
        throw .sqlite(path: path, code: code, message: message, sql: sql)
    }
}

/// Makes SQLite stop counting memory, which takes a lock for every allocation; before a program opens a database.
package func countNoDatabaseMemory() { _ = database_count_no_memory() }

/// A function of SQL as SQLite calls it.
typealias SQLFunction =
    @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

private final class TextFunction: Sendable {
    let body: @Sendable (String) -> String

    init(body: @escaping @Sendable (String) -> String) { self.body = body }
}

/// SQLite copies the bound value, because it may be released before the statement runs.
nonisolated(unsafe) let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

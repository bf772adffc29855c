import CSQLite

/// A prepared statement that is run many times, without a value for each cell.
///
/// Lives no longer than its connection, which it keeps alive. Text and bytes of a row are valid until
/// the next step.
package final class Statement {
    /// The storage class of a cell.
    package enum CellKind: Sendable, Hashable {
        /// NULL.
        case null
        /// A 64-bit integer.
        case integer
        /// A 64-bit floating-point number.
        case real
        /// Text, which need not be UTF-8.
        case text
        /// Bytes.
        case blob
    }

    private let connection: SQLiteConnection
    private let sql: String
    private let handle: OpaquePointer

    /// Prepares a statement.
    package init(_ sql: String, on connection: SQLiteConnection) throws(StoreError) {
        self.connection = connection
        self.sql = sql
        handle = try connection.prepare(sql)
    }

    deinit { sqlite3_finalize(handle) }

    /// Goes to the next row; `false` when there is none.
    package func step() throws(StoreError) -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        try connection.check(code, sql)
        return false
    }

    /// Runs the statement, which gives no rows, and makes it ready for the next run, without values.
    package func run() throws(StoreError) {
        let code = sqlite3_step(handle)
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
        if code != SQLITE_DONE, code != SQLITE_ROW { try connection.check(code, sql) }
    }

    /// Starts over, with the bound values kept.
    package func reset() {
        sqlite3_reset(handle)
    }

    /// The storage class of a cell of the current row; columns count from 0.
    package func kind(_ column: Int32) -> CellKind {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .real
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }

    /// The integer in a cell; 0 for NULL.
    package func integer(_ column: Int32) -> Int64 {
        sqlite3_column_int64(handle, column)
    }

    /// The number in a cell.
    package func real(_ column: Int32) -> Double {
        sqlite3_column_double(handle, column)
    }

    /// The bytes of a text, in UTF-8 whatever the encoding of the database; they must not outlive the row.
    package func text(_ column: Int32) -> UnsafeRawBufferPointer {
        guard let start = sqlite3_column_text(handle, column) else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        return UnsafeRawBufferPointer(
            start: start,
            count: Int(sqlite3_column_bytes(handle, column))
        )
    }

    /// The bytes of a blob, which must not outlive the row.
    package func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        guard let start = sqlite3_column_blob(handle, column) else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        return UnsafeRawBufferPointer(
            start: start,
            count: Int(sqlite3_column_bytes(handle, column))
        )
    }

    /// Binds an integer; parameters count from 1.
    package func bind(_ value: Int64, at index: Int32) throws(StoreError) {
        try confirm(sqlite3_bind_int64(handle, index, value))
    }

    /// Binds a number.
    package func bind(_ value: Double, at index: Int32) throws(StoreError) {
        try confirm(sqlite3_bind_double(handle, index, value))
    }

    /// Binds a text of UTF-8 bytes, which are copied.
    package func bindText(_ bytes: UnsafeRawBufferPointer, at index: Int32) throws(StoreError) {
        // An empty buffer may have no address, which SQLite would take for NULL.
        guard let start = bytes.baseAddress, !bytes.isEmpty else {
            return try confirm(sqlite3_bind_text(handle, index, "", 0, copied))
        }
        try confirm(
            sqlite3_bind_text64(
                handle,
                index,
                start.assumingMemoryBound(to: CChar.self),
                UInt64(bytes.count),
                copied,
                UInt8(SQLITE_UTF8)
            )
        )
    }

    /// Binds a text.
    package func bindText(_ text: String, at index: Int32) throws(StoreError) {
        try confirm(
            sqlite3_bind_text64(
                handle,
                index,
                text,
                UInt64(text.utf8.count),
                copied,
                UInt8(SQLITE_UTF8)
            )
        )
    }

    /// Binds bytes, which are copied.
    package func bindBlob(_ bytes: [UInt8], at index: Int32) throws(StoreError) {
        let code =
            bytes.isEmpty
            ? sqlite3_bind_zeroblob(handle, index, 0)
            : sqlite3_bind_blob64(handle, index, bytes, UInt64(bytes.count), copied)
        try confirm(code)
    }

    private func confirm(_ code: Int32) throws(StoreError) {
        if code != SQLITE_OK { try connection.check(code, sql) }
    }
}

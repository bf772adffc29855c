import CSQLite
package import Essentials

/// A prepared, reusable statement, with values and rows, or cell by cell without a value for each.
///
/// It retains its connection. Text and bytes of a row are valid until the next step.
package final class Statement {
    package enum CellKind: Sendable, Hashable {
        case null
        case integer
        case real
        /// Text, which need not be UTF-8.
        case text
        case blob
    }

    private let connection: SQLiteConnection
    private let sql: String
    private let handle: OpaquePointer

    package convenience init(_ sql: String, on connection: SQLiteConnection) throws(StoreError) {
        guard let handle = try connection.prepare(sql, SQLITE_PREPARE_PERSISTENT) else {
            throw .sqlite(
                path: connection.path,
                code: SQLITE_MISUSE,
                message: "empty statement",
                sql: sql
            )
        }
        self.init(handle, sql, on: connection)
    }

    /// Takes ownership of a prepared statement.
    init(_ handle: OpaquePointer, _ sql: String, on connection: SQLiteConnection) {
        (self.connection, self.sql, self.handle) = (connection, sql, handle)
    }

    deinit { sqlite3_finalize(handle) }

    /// Moves to the next row; `false` if there is none.
    package func step() throws(StoreError) -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        try connection.check(code, sql)
        return false
    }

    var columnCount: Int32 { sqlite3_column_count(handle) }

    package var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

    /// Runs the statement, ignores its rows, and resets it without values for the next run.
    package func run() throws(StoreError) {
        var code = sqlite3_step(handle)
        while code == SQLITE_ROW { code = sqlite3_step(handle) }
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
        if code != SQLITE_DONE { try connection.check(code, sql) }
    }

    package func run(
        _ arguments: [SQLiteValue] = [],
        _ body: ([SQLiteValue]) throws(StoreError) -> Void = { _ throws(StoreError) in }
    ) throws(StoreError) {
        defer {
            sqlite3_reset(handle)
            sqlite3_clear_bindings(handle)
        }
        for (index, argument) in arguments.enumerated() { try bind(argument, at: Int32(index + 1)) }
        while try step() { try body((0..<sqlite3_column_count(handle)).map(value)) }
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
    package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    package func real(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

    /// The bytes of a text, in UTF-8 for any encoding of the database; they must not outlive the row.
    package func text(_ column: Int32) -> UnsafeRawBufferPointer {
        bytes(from: sqlite3_column_text(handle, column).map { UnsafeRawPointer($0) }, of: column)
    }

    /// The bytes of a blob, which must not outlive the row.
    package func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        bytes(from: sqlite3_column_blob(handle, column), of: column)
    }

    private func bytes(from start: UnsafeRawPointer?, of column: Int32) -> UnsafeRawBufferPointer {
        guard let start else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        let count = Int(sqlite3_column_bytes(handle, column))
        return UnsafeRawBufferPointer(start: start, count: count)
    }

    /// The value of a cell; text that is not UTF-8 comes out repaired.
    package func value(_ column: Int32) -> SQLiteValue {
        switch kind(column) {
        case .null: .null
        case .integer: .integer(integer(column))
        case .real: .real(real(column))
        case .text: .text(String(decoding: text(column), as: UTF8.self))
        case .blob: .blob(Data(bytes(column)))
        }
    }

    /// Binds a value; parameters count from 1.
    package func bind(_ value: SQLiteValue, at index: Int32) throws(StoreError) {
        switch value {
        case .null: try confirm(sqlite3_bind_null(handle, index))
        case .integer(let integer): try bind(integer, at: index)
        case .real(let real): try bind(real, at: index)
        case .text(let text): try bindText(text, at: index)
        case .blob(let data): try bindBlob(data, at: index)
        }
    }

    package func bind(_ value: Int64, at index: Int32) throws(StoreError) {
        try confirm(sqlite3_bind_int64(handle, index, value))
    }

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
    package func bindBlob(_ bytes: some ContiguousBytes, at index: Int32) throws(StoreError) {
        try confirm(
            bytes.withUnsafeBytes { bytes in
                guard let start = bytes.baseAddress, !bytes.isEmpty else {
                    return sqlite3_bind_zeroblob(handle, index, 0)
                }
                return sqlite3_bind_blob64(handle, index, start, UInt64(bytes.count), copied)
            }
        )
    }

    private func confirm(_ code: Int32) throws(StoreError) {
        if code != SQLITE_OK { try connection.check(code, sql) }
    }
}

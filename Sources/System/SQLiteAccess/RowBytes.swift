/// The rows of a statement as bytes, equal only where every value is.
///
/// They are only compared: that is faster than comparing values, and texts are equal only byte for byte.
package struct RowBytes: Sendable, Hashable {
    private var bytes: [UInt8] = []

    package init(of sql: String, on connection: SQLiteConnection) throws(StoreError) {
        guard let handle = try connection.prepare(sql) else { return }
        let statement = Statement(handle, sql, on: connection)
        while try statement.step() {
            for column in 0..<statement.columnCount { append(column, of: statement) }
        }
    }

    private mutating func append(_ column: Int32, of statement: Statement) {
        switch statement.kind(column) {
        case .null: bytes.append(0)
        case .integer: append(UInt64(bitPattern: statement.integer(column)), 1)
        case .real: append(statement.real(column).bitPattern, 2)
        case .text: append(statement.text(column), 3)
        case .blob: append(statement.bytes(column), 4)
        }
    }

    private mutating func append(_ number: UInt64, _ kind: UInt8) {
        bytes.append(kind)
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private mutating func append(_ content: UnsafeRawBufferPointer, _ kind: UInt8) {
        append(UInt64(content.count), kind)
        bytes.append(contentsOf: content)
    }

    package func hash(into hasher: inout Hasher) {
        // An array would hash each byte individually.
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}

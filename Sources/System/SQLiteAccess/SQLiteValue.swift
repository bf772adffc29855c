public import Essentials

/// A value in SQLite's five storage classes.
public enum SQLiteValue: Sendable {
    /// NULL.
    case null
    /// A 64-bit integer.
    case integer(Int64)
    /// A 64-bit floating-point number.
    case real(Double)
    /// Text; bytes that are not UTF-8 come out repaired.
    case text(String)
    /// Bytes.
    case blob(Data)

    /// The integer, when the value is one.
    public var integer: Int64? { if case .integer(let value) = self { value } else { nil } }

    /// The text, when the value is some.
    public var text: String? { if case .text(let value) = self { value } else { nil } }

    /// The bytes, when the value is a blob.
    public var blob: Data? { if case .blob(let value) = self { value } else { nil } }
}

extension SQLiteValue: Hashable {
    /// Whether two values have the same class, with the same number or the same bytes.
    ///
    /// `é` and `e` with a combining accent are equal texts to Swift, and different ones to SQLite.
    public static func == (left: SQLiteValue, right: SQLiteValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.integer(let first), .integer(let second)): first == second
        case (.real(let first), .real(let second)): first == second
        case (.text(let first), .text(let second)): haveSameBytes(first, second)
        case (.blob(let first), .blob(let second)): first == second
        case (.null, _), (.integer, _), (.real, _), (.text, _), (.blob, _): false
        }
    }

    /// Adds the class of the value, and its number or bytes.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .integer(let value):
            hasher.combine(1)
            hasher.combine(value)
        case .real(let value):
            hasher.combine(2)
            hasher.combine(value)
        case .text(let text):
            hasher.combine(3)
            var text = text
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        case .blob(let data):
            hasher.combine(4)
            hasher.combine(data)
        }
    }
}

import Essentials
import ObjectModel
import SQLiteAccess
import StoreFormat

extension AttributeValue {
    /// The value as Core Data stores it, as an SQL literal (STORE_LAYOUT section 8).
    var sqlLiteral: String {
        switch self {
        case .integer(let value): String(value)
        case .boolean(let value): value ? "1" : "0"
        case .double(let value), .date(let value): Self.literal(value)
        case .float(let value): Self.literal(Double(value))
        case .decimal(let value): value.description
        case .string(let text), .uri(let text): quotedText(text)
        case .binary(let data): "X'\(Self.hex(data))'"
        case .uuid(let uuid): withUnsafeBytes(of: uuid.uuid) { "X'\(Self.hex($0))'" }
        }
    }

    private static func literal(_ value: Double) -> String {
        guard value.isFinite else { return "NULL" }
        return String(value)
    }

    private static func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
    }
}

/// Joins names into a list, each quoted where it must be.
func columnList(_ names: [String]) -> String {
    names.map(quotedIdentifier).joined(separator: ", ")
}

/// Joins numbers into a list.
func numberList(_ numbers: [Int]) -> String {
    numbers.map(String.init).joined(separator: ", ")
}

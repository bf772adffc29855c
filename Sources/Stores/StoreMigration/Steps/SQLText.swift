import Essentials
import ObjectModel
import SQLiteAccess
import StoreFormat

extension AttributeValue {
    /// The value as Core Data stores it, as an SQL literal (SQLiteStores, "Values").
    var sqlLiteral: String {
        switch self {
        case .integer(let value): String(value)
        case .boolean(let value): value ? "1" : "0"
        case .double(let value), .date(let value): Self.literal(value)
        case .float(let value): Self.literal(Double(value))
        case .decimal(let value): value.description
        case .string(let text), .uri(let text): quotedText(text)
        case .binary(let data): blobLiteral(data)
        case .uuid(let uuid): withUnsafeBytes(of: uuid.uuid) { blobLiteral($0) }
        }
    }

    /// The value for people: a date as ISO 8601, everything else as in SQL.
    var words: String {
        if case .date(let seconds) = self, let text = StoredDate.text(of: seconds) { return text }
        return sqlLiteral
    }

    private static func literal(_ value: Double) -> String {
        guard value.isFinite else { return "NULL" }
        return String(value)
    }
}

extension SQLiteValue {
    var sqlLiteral: String {
        switch self {
        case .null: "NULL"
        case .integer(let value): String(value)
        case .real(let value): value.isFinite ? String(value) : "NULL"
        case .text(let text): quotedText(text)
        case .blob(let data): blobLiteral(data)
        }
    }
}

private func blobLiteral(_ bytes: some Sequence<UInt8>) -> String {
    var text = "X'"
    for byte in bytes {
        if byte < 16 { text.append("0") }
        text += String(byte, radix: 16, uppercase: true)
    }
    return text + "'"
}

func columnList(_ names: [String]) -> String { names.map(quotedIdentifier).joined(separator: ", ") }

func numberList(_ numbers: [Int]) -> String { numbers.map(String.init).joined(separator: ", ") }

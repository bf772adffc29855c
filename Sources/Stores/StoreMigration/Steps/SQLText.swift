import ObjectModel
import SQLiteAccess
import StoreFormat

extension AttributeValue {
    /// The value as Core Data stores it, as an SQL literal (SQLiteStores, "Values").
    var sqlLiteral: String {
        // SQLite reads all digits of a Decimal.
        if case .decimal(let value) = self { return value.description }
        return cell.sqlLiteral
    }

    /// The value for people: a date as ISO 8601, everything else as in SQL.
    var words: String {
        if case .date(let seconds) = self, let text = StoredDate.text(of: seconds) { return text }
        return sqlLiteral
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

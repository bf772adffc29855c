import Diagnostics
import Essentials
import FileSystem
import ObjectModel
import SQLiteAccess
import StoreFormat

/// The form of values that may be in external files: a byte 1 with the data, or a byte 2 with a file's name
/// (SQLiteStores, "Values").
enum ExternalForm {
    /// The function that gives a plain value the form, with the data in the store.
    static let adding = "momtool_external_form"
    /// The function that gives the data of such a value; NULL when its file is missing.
    static let removing = "momtool_plain_data"
    private static let limit = 1_000_000_000

    static func stored(_ value: String, as attribute: Attribute) -> String {
        attribute.allowsExternalBinaryDataStorage ? "\(adding)(\(value))" : value
    }

    /// Registers the functions for a store with a folder of external files; returns the names of the files that they
    /// read, as they read them.
    @discardableResult
    static func register(
        on connection: SQLiteConnection,
        of store: String
    ) throws(StoreError) -> Locked<Set<String>> {
        let folder = externalDataFolder(of: store)
        let known = Locked<Set<String>>([])
        try connection.register(adding, arguments: 1) { values in
            guard case .blob(let data) = values[0] else { return values[0] }
            return .blob(Data([1]) + data)
        }
        try connection.register(removing, arguments: 1) { values in
            guard case .blob(let data) = values[0] else { return values[0] }
            if data.first == 1 { return .blob(Data(data.dropFirst())) }
            // What has neither form is already damaged, and stays as it is.
            guard let name = externalFileName(data) else { return values[0] }
            let path = folder.appendingPathComponent(name).path
            guard let bytes = try? readFile(path, limit: limit) else { return .null }
            known.withLock { _ = $0.insert(name) }
            return .blob(Data(bytes))
        }
        return known
    }

    /// Returns the read files that no value names any more.
    static func unnamed(
        _ files: Set<String>,
        on connection: SQLiteConnection
    ) throws(StoreError) -> Set<String> {
        guard !files.isEmpty else { return [] }
        let names = try namedExternalFiles(on: connection, anywhere: true)
        return Set(surplusFiles(among: files.sorted(), named: names))
    }
}

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

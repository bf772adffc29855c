import Diagnostics
import Essentials
import ObjectModel
import SQLiteAccess
import StoreFormat

/// Writes stored values as JSON (SQLiteStores, "Values").
///
/// A value that is not of its attribute's type is written as it is, as an object that says how it is stored
/// (``StoredMarker``), and noted: old applications wrote such values, and they must not keep all others back.
struct ValueWriter {
    private let path: String
    private let entity: String
    private let externalData: ExternalData
    private var oddities: [Oddity: OddRows] = [:]

    init(path: String, entity: String) {
        self.path = path
        self.entity = entity
        externalData = ExternalData(folder: externalDataFolder(of: path))
    }

    /// What is wrong with values of an attribute.
    private struct Oddity: Hashable {
        var attribute: String
        var message: String
    }

    private struct OddRows {
        var count = 0
        var keys: [Int64] = []
    }

    /// A warning for each attribute with values that are not of its type.
    var diagnostics: [Diagnostic] {
        oddities.sorted { ($0.key.attribute, $0.key.message) < ($1.key.attribute, $1.key.message) }
            .map { oddity, rows in
                let element = "\(entity).\(oddity.attribute)"
                let keys = rows.keys.map { "p\($0)" }.joined(separator: ", ")
                let more = rows.count > rows.keys.count ? ", …" : ""
                let number = rows.count.counted("row")
                return Diagnostic(
                    .damagedValue,
                    "\(element): \(number): \(oddity.message) (\(keys)\(more))",
                    severity: .warning,
                    at: SourceLocation(path: path),
                    element: element
                )
            }
    }

    private mutating func note(_ message: String, _ attribute: Attribute, _ key: Int64) {
        var rows = oddities[Oddity(attribute: attribute.name, message: message)] ?? OddRows()
        rows.count += 1
        if rows.keys.count < Diagnostic.AffectedRows.keyLimit { rows.keys.append(key) }
        oddities[Oddity(attribute: attribute.name, message: message)] = rows
    }

    /// Numbers of greater magnitude are strings: JavaScript and its like would round them.
    private static let exactLimit: Int64 = 1 << 53

    /// Writes the value in a column, which is not NULL.
    mutating func write(
        _ attribute: Attribute,
        _ column: Int32,
        of statement: Statement,
        into text: inout JSONText
    ) {
        let isWritten: Bool
        switch attribute.type.values {
        case .integer:
            isWritten = writeInteger(attribute.type, column, of: statement, into: &text)
        case .boolean: isWritten = writeBoolean(column, of: statement, into: &text)
        case .double, .float:
            isWritten = writeReal(
                attribute.type.values == .float,
                column,
                of: statement,
                into: &text
            )
        case .decimal: isWritten = writeDecimal(column, of: statement, into: &text)
        case .date: isWritten = writeDate(column, of: statement, into: &text)
        case .string, .uri: isWritten = writeText(column, of: statement, into: &text)
        case .uuid: isWritten = writeUUID(column, of: statement, into: &text)
        case .binary, .transformable:
            isWritten = writeBytes(attribute, column, of: statement, into: &text)
        case .undefined, .objectID, .composite: isWritten = false
        }
        guard !isWritten else { return }
        let type = attribute.type.sourceName ?? "value"
        var message = "the value is no \(type), and is written as it is stored"
        if attribute.allowsExternalBinaryDataStorage, statement.kind(column) == .blob,
            let name = externalFileName(statement.bytes(column))
        {
            message = "the file beside the store is missing, and its name is written"
            text.append(StoredMarker.file.opening)
            text.append(quoted: name)
            text.append("}")
        } else {
            writeStored(column, of: statement, into: &text)
        }
        note(message, attribute, statement.integer(0))
    }

    /// Writes a value as it is stored, whatever its attribute's type.
    private func writeStored(_ column: Int32, of statement: Statement, into text: inout JSONText) {
        switch statement.kind(column) {
        case .null: return text.append("null")
        case .integer:
            text.append(StoredMarker.integer.opening)
            text.append(quoted: String(statement.integer(column)))
        case .real:
            text.append(StoredMarker.real.opening)
            text.append(quoted: statement.real(column).description)
        case .text:
            let bytes = statement.text(column)
            if isUTF8(bytes) {
                text.append(StoredMarker.text.opening)
                text.appendQuoted(bytes)
            } else {
                text.append(StoredMarker.encodedText.opening)
                text.appendBase64(bytes)
            }
        case .blob:
            text.append(StoredMarker.bytes.opening)
            text.appendBase64(statement.bytes(column))
        }
        text.append("}")
    }

    private func writeInteger(
        _ type: AttributeType,
        _ column: Int32,
        of statement: Statement,
        into text: inout JSONText
    ) -> Bool {
        guard statement.kind(column) == .integer else { return false }
        let value = statement.integer(column)
        guard type.integers.contains(value) else { return false }
        if value.magnitude <= Self.exactLimit.magnitude {
            text.append(value)
        } else {
            text.append(quoted: String(value))
        }
        return true
    }

    private func writeBoolean(
        _ column: Int32,
        of statement: Statement,
        into text: inout JSONText
    ) -> Bool {
        guard statement.kind(column) == .integer else { return false }
        switch statement.integer(column) {
        case 0: text.append("false")
        case 1: text.append("true")
        default: return false
        }
        return true
    }

    /// A number stands for the nearest 32-bit one where the attribute holds such; a string is exact.
    private func writeReal(
        _ isFloat: Bool,
        _ column: Int32,
        of statement: Statement,
        into text: inout JSONText
    ) -> Bool {
        let kind = statement.kind(column)
        guard kind == .real || kind == .integer else { return false }
        let value = statement.real(column)
        if kind == .integer, Int64(exactly: value) != statement.integer(column) { return false }
        if !value.isFinite {
            text.append(value > 0 ? "\"Infinity\"" : "\"-Infinity\"")
        } else if !isFloat {
            text.append(raw: value.description)
        } else if Double(Float(value)) == value {
            text.append(raw: Float(value).description)
        } else {
            text.append(quoted: value.description)
        }
        return true
    }

    private func writeDecimal(
        _ column: Int32,
        of statement: Statement,
        into text: inout JSONText
    ) -> Bool {
        switch statement.kind(column) {
        case .integer: text.append(quoted: String(statement.integer(column)))
        case .real where statement.real(column).isFinite:
            text.append(quoted: statement.real(column).description)
        // What Core Data stores for a decimal that is not a number.
        case .text where statement.text(column).elementsEqual("NaN".utf8):
            text.append(quoted: "NaN")
        default: return false
        }
        return true
    }

    private func writeDate(
        _ column: Int32,
        of statement: Statement,
        into text: inout JSONText
    ) -> Bool {
        let kind = statement.kind(column)
        guard kind == .real || kind == .integer else { return false }
        let value = statement.real(column)
        if kind == .integer, Int64(exactly: value) != statement.integer(column) { return false }
        guard value.isFinite else { return false }
        if let date = StoredDate.text(of: value) {
            text.append("\"")
            text.append(raw: date)
            text.append("\"")
        } else {
            text.append(raw: value.description)
        }
        return true
    }

    private func writeText(
        _ column: Int32,
        of statement: Statement,
        into text: inout JSONText
    ) -> Bool {
        guard statement.kind(column) == .text else { return false }
        let bytes = statement.text(column)
        guard isUTF8(bytes) else { return false }
        text.appendQuoted(bytes)
        return true
    }

    private func writeUUID(
        _ column: Int32,
        of statement: Statement,
        into text: inout JSONText
    ) -> Bool {
        guard statement.kind(column) == .blob else { return false }
        let bytes = statement.bytes(column)
        guard bytes.count == 16 else { return false }
        text.append("\"")
        text.append(raw: UUID(bytes).uuidString)
        text.append("\"")
        return true
    }

    private func writeBytes(
        _ attribute: Attribute,
        _ column: Int32,
        of statement: Statement,
        into text: inout JSONText
    ) -> Bool {
        guard statement.kind(column) == .blob else { return false }
        let bytes = statement.bytes(column)
        guard attribute.allowsExternalBinaryDataStorage else {
            let isWritten =
                attribute.type == .transformable
                ? writeArchive(attribute, bytes, into: &text) : writeJSON(bytes, into: &text)
            if !isWritten { text.appendBase64(bytes) }
            return true
        }
        switch bytes.first {
        case 1:
            text.appendBase64(UnsafeRawBufferPointer(rebasing: bytes.dropFirst()))
            return true
        case 2:
            guard let data = externalFileName(bytes).flatMap(externalData.read) else {
                return false
            }
            data.withUnsafeBytes { text.appendBase64($0) }
            return true
        default: return false
        }
    }

    /// Writes JSON that is kept in an attribute as it is.
    private func writeJSON(_ bytes: UnsafeRawBufferPointer, into text: inout JSONText) -> Bool {
        guard EmbeddedJSON.isCompact(bytes) else { return false }
        text.append(EmbeddedJSON.opening)
        text.append(raw: Array(bytes))
        text.append("}")
        return true
    }

    /// Writes what an archive holds, where that can be said in JSON.
    private func writeArchive(
        _ attribute: Attribute,
        _ bytes: UnsafeRawBufferPointer,
        into text: inout JSONText
    ) -> Bool {
        guard let object = ArchivedObject(archive: bytes) else { return false }
        if ArchivedArray(attribute)?.write(object, into: &text) == true { return true }
        text.append("{")
        text.append(quoted: ArchivedObject.marker)
        text.append(": ")
        object.write(into: &text)
        text.append("}")
        return true
    }
}

extension UUID {
    fileprivate init(_ bytes: UnsafeRawBufferPointer) {
        self.init(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }
}

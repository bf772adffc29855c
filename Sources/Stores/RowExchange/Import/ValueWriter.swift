import Diagnostics
import Essentials
import ObjectModel
import SQLiteAccess
import StoreFormat

/// Writes stored values as JSON (SQLiteStores, "Values").
///
/// A value that is not of its attribute's type is written as an object that says how it is stored (``StoredMarker``),
/// and noted: old applications wrote such values, and they must not block all others.
struct ValueWriter {
    private let path: String
    private let entity: String
    private let externalData: ExternalData
    private var oddities: [Oddity: OddRows] = [:]

    init(path: String, entity: String) {
        (self.path, self.entity) = (path, entity)
        externalData = ExternalData(folder: externalDataFolder(of: path))
    }

    private struct Oddity: Hashable {
        var attribute: String
        var message: String
    }

    private struct OddRows {
        var count = 0
        var keys: [Int64] = []
    }

    /// A warning for each attribute with values of another type.
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
                    at: FileLocation(path: path),
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
        let form = StoredForm(of: attribute, in: column, of: statement)
        let isWritten = form.map { write($0, attribute, into: &text) } ?? false
        guard !isWritten else { return }
        let type = attribute.type.sourceName ?? "value"
        var message = "the value is not a valid \(type); it is exported as stored"
        if attribute.allowsExternalBinaryDataStorage, statement.kind(column) == .blob,
            let name = externalFileName(statement.bytes(column))
        {
            message = "the file beside the store is missing; its name is exported instead"
            text.append(marked: StoredMarker.file.rawValue) { $0.append(quoted: name) }
        } else {
            writeStored(column, of: statement, into: &text)
        }
        note(message, attribute, statement.integer(0))
    }

    /// Writes a value as it is stored, regardless of its attribute's type.
    func writeStored(_ column: Int32, of statement: Statement, into text: inout JSONText) {
        func append(_ marker: StoredMarker, _ value: (inout JSONText) -> Void) {
            text.append(marked: marker.rawValue, value)
        }
        switch statement.kind(column) {
        case .null: text.append("null")
        case .integer: append(.integer) { $0.append(quoted: String(statement.integer(column))) }
        case .real: append(.real) { $0.append(quoted: statement.real(column).description) }
        case .text:
            let bytes = statement.text(column)
            if isUTF8(bytes) {
                append(.text) { $0.appendQuoted(bytes) }
            } else {
                append(.encodedText) { $0.appendBase64(bytes) }
            }
        case .blob: append(.bytes) { $0.appendBase64(statement.bytes(column)) }
        }
    }

    /// Writes a value of its attribute's type; reports failure where its file is missing.
    private func write(
        _ form: StoredForm,
        _ attribute: Attribute,
        into text: inout JSONText
    ) -> Bool {
        switch form {
        case .integer(let number):
            if number.magnitude <= Self.exactLimit.magnitude {
                text.append(number)
            } else {
                text.append(quoted: String(number))
            }
        case .boolean(let truth): text.append(truth ? "true" : "false")
        case .real(let number): write(number, attribute.type.values == .float, into: &text)
        case .decimal(.whole(let number)): text.append(quoted: String(number))
        case .decimal(.real(let number)): text.append(quoted: number.description)
        case .decimal(.notANumber): text.append(quoted: "NaN")
        case .date(let seconds): write(date: seconds, into: &text)
        case .text(let bytes): text.appendQuoted(bytes)
        case .uuid(let uuid):
            text.append("\"")
            text.append(raw: uuid.uuidString)
            text.append("\"")
        case .bytes(let bytes): write(bytes, attribute, into: &text)
        case .file(let name):
            guard let data = externalData.read(name) else { return false }
            data.withUnsafeBytes { text.appendBase64($0) }
        }
        return true
    }

    /// A number means the nearest 32-bit one where the attribute holds such; a string is exact.
    private func write(_ number: Double, _ isFloat: Bool, into text: inout JSONText) {
        if !number.isFinite {
            text.append(number > 0 ? "\"Infinity\"" : "\"-Infinity\"")
        } else if !isFloat {
            text.append(raw: number.description)
        } else if Double(Float(number)) == number {
            text.append(raw: Float(number).description)
        } else {
            text.append(quoted: number.description)
        }
    }

    private func write(date seconds: Double, into text: inout JSONText) {
        guard let date = StoredDate.text(of: seconds) else {
            return text.append(raw: seconds.description)
        }
        text.append("\"")
        text.append(raw: date)
        text.append("\"")
    }

    private func write(
        _ bytes: UnsafeRawBufferPointer,
        _ attribute: Attribute,
        into text: inout JSONText
    ) {
        let isReadable = !attribute.allowsExternalBinaryDataStorage
        let isWritten =
            isReadable
            && (attribute.type == .transformable
                ? writeArchive(attribute, bytes, into: &text) : writeJSON(bytes, into: &text))
        if !isWritten { text.appendBase64(bytes) }
    }

    /// Writes JSON from an attribute verbatim.
    private func writeJSON(_ bytes: UnsafeRawBufferPointer, into text: inout JSONText) -> Bool {
        guard EmbeddedJSON.isCompact(bytes) else { return false }
        text.append(marked: EmbeddedJSON.marker) { $0.append(raw: Array(bytes)) }
        return true
    }

    /// Writes the content of an archive, where JSON can express it.
    private func writeArchive(
        _ attribute: Attribute,
        _ bytes: UnsafeRawBufferPointer,
        into text: inout JSONText
    ) -> Bool {
        guard let object = ArchivedObject(archive: bytes) else { return false }
        if ArchivedArray(attribute)?.write(object, into: &text) == true { return true }
        text.append(marked: ArchivedObject.marker) { object.write(into: &$0) }
        return true
    }
}

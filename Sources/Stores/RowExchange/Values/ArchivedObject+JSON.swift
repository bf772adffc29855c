import Essentials
import SQLiteAccess
import StoreFormat

/// The form of archived objects in rows: JSON's own if it has one, otherwise an object with one key that names the kind.
extension ArchivedObject {
    static let marker = "@archive"

    private enum Marker: String {
        case bytes = "@bytes"
        case date = "@date"
        case uuid = "@uuid"
        case uri = "@uri"
        case set = "@set"
    }

    func write(into text: inout JSONText) {
        switch self {
        case .null: text.append("null")
        case .text, .integer, .real, .boolean: writePlainly(into: &text)
        case .bytes: write(.bytes, into: &text)
        case .date: write(.date, into: &text)
        case .uuid: write(.uuid, into: &text)
        case .uri: write(.uri, into: &text)
        case .list(let objects): Self.write(objects, into: &text) { $0.write(into: &$1) }
        case .set(let objects):
            text.append(marked: Marker.set.rawValue) { text in
                Self.write(objects, into: &text) { $0.write(into: &$1) }
            }
        case .dictionary(let entries):
            text.append("{")
            for (place, entry) in entries.enumerated() {
                if place > 0 { text.append(", ") }
                text.append(quoted: entry.key)
                text.append(": ")
                entry.value.write(into: &text)
            }
            text.append("}")
        }
    }

    private func write(_ marker: Marker, into text: inout JSONText) {
        text.append(marked: marker.rawValue) { writePlainly(into: &$0) }
    }

    /// Writes a value without its marker, as the values of attributes are written.
    func writePlainly(into text: inout JSONText) {
        switch self {
        case .text(let string), .uri(let string): text.append(quoted: string)
        case .integer(let number): text.append(raw: String(number))
        case .real(let number): text.append(raw: number.description)
        case .boolean(let isTrue): text.append(isTrue ? "true" : "false")
        case .bytes(let bytes): bytes.withUnsafeBytes { text.appendBase64($0) }
        case .uuid(let uuid): text.append(quoted: uuid.uuidString)
        case .date(let seconds):
            if let date = StoredDate.text(of: seconds) {
                text.append(quoted: date)
            } else {
                text.append(raw: seconds.description)
            }
        case .null, .list, .set, .dictionary: write(into: &text)
        }
    }

    static func write(
        _ objects: [ArchivedObject],
        into text: inout JSONText,
        _ write: (ArchivedObject, inout JSONText) -> Void
    ) {
        text.append("[")
        for (place, object) in objects.enumerated() {
            if place > 0 { text.append(", ") }
            write(object, &text)
        }
        text.append("]")
    }

    /// Reads an object from JSON; `nil` when it is none, or too deep.
    init?(from reader: JSONReader, depth: Int = 0) throws(StoreError) {
        guard depth < Self.greatestDepth else { return nil }
        switch try reader.peek() {
        case UInt8(ascii: "n")?:
            _ = try reader.word()
            self = .null
        case UInt8(ascii: "["):
            guard let objects = try Self.objects(from: reader, depth: depth) else { return nil }
            self = .list(objects)
        case UInt8(ascii: "{"):
            guard let object = try Self.braced(from: reader, depth: depth) else { return nil }
            self = object
        default:
            guard let object = try ArchivedObject(plainlyFrom: reader) else { return nil }
            self = object
        }
    }

    private init?(plainlyFrom reader: JSONReader) throws(StoreError) {
        switch try reader.peek() {
        case UInt8(ascii: "\"")?: self = .text(String(decoding: try reader.string(), as: UTF8.self))
        case UInt8(ascii: "t")?, UInt8(ascii: "f")?: self = .boolean(try reader.word() == "true")
        case UInt8(ascii: "-")?, (0x30...0x39)?:
            let text = String(decoding: try reader.number(), as: UTF8.self)
            if let number = Int64(text) {
                self = .integer(number)
            } else if let number = Double(text), number.isFinite {
                self = .real(number)
            } else {
                return nil
            }
        default: return nil
        }
    }

    static func objects(
        from reader: JSONReader,
        depth: Int
    ) throws(StoreError) -> [ArchivedObject]? {
        try reader.expect("[")
        var objects: [ArchivedObject] = []
        guard try !reader.take("]") else { return objects }
        repeat {
            guard objects.count < Self.greatestCount,
                let object = try ArchivedObject(from: reader, depth: depth + 1)
            else { return nil }
            objects.append(object)
        } while try reader.take(",")
        try reader.expect("]")
        return objects
    }

    /// Reads the content of braces: a dictionary, or a value with a marker.
    private static func braced(
        from reader: JSONReader,
        depth: Int
    ) throws(StoreError) -> ArchivedObject? {
        try reader.expect("{")
        var entries: [Entry] = []
        guard try !reader.take("}") else { return .dictionary(entries) }
        repeat {
            guard try reader.peek() == UInt8(ascii: "\"") else { return nil }
            let key = String(decoding: try reader.string(), as: UTF8.self)
            try reader.expect(":")
            guard entries.count < greatestCount,
                let value = try ArchivedObject(from: reader, depth: depth + 1)
            else { return nil }
            entries.append(Entry(key: key, value: value))
        } while try reader.take(",")
        try reader.expect("}")
        guard let marker = entries.first(where: { $0.key.hasPrefix("@") }) else {
            let isClear = Set(entries.map(\.key)).count == entries.count
            return isClear ? .dictionary(entries) : nil
        }
        guard entries.count == 1 else { return nil }
        return Marker(rawValue: marker.key).flatMap { marker.value.marked($0) }
    }

    private func marked(_ marker: Marker) -> ArchivedObject? {
        switch (marker, self) {
        case (.set, .list(let objects)): .set(objects)
        case (.bytes, _): asBytes
        case (.date, _): asDate
        case (.uuid, _): asUUID
        case (.uri, .text(let text)): .uri(text)
        case (.set, _), (.uri, _): nil
        }
    }

    /// The bytes of a text in base64.
    var asBytes: ArchivedObject? {
        guard case .text(var text) = self else { return nil }
        return text.withUTF8 { Base64.bytes(of: UnsafeRawBufferPointer($0)) }
            .map { .bytes(Data($0)) }
    }

    /// The date of a text, or of a number of seconds.
    var asDate: ArchivedObject? {
        switch self {
        case .integer(let seconds): .date(Double(seconds))
        case .real(let seconds): .date(seconds)
        case .text(var text):
            text.withUTF8 { StoredDate.seconds(of: UnsafeRawBufferPointer($0)) }.map { .date($0) }
        default: nil
        }
    }

    var asUUID: ArchivedObject? {
        guard case .text(let text) = self else { return nil }
        return UUID(uuidString: text).map { .uuid($0) }
    }
}

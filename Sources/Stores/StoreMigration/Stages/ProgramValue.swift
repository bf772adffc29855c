import Essentials
import ObjectModel
import SQLiteAccess
import StoreFormat

/// Values as programs of stages read and write them: the JSON of exported rows (the page StableOutput, "Rows").
///
/// A value without its attribute's type is passed as it is stored; a program that does not touch it leaves it unchanged.
enum ProgramValue {
    /// Numbers of greater magnitude are strings: most programs would round them.
    private static let exactLimit: UInt64 = 1 << 53

    static func json(_ value: SQLiteValue, _ attribute: Attribute) -> JSONValue {
        switch (value, attribute.type) {
        case (.null, _): return .null
        case (.integer(let number), .boolean) where number == 0 || number == 1:
            return .boolean(number == 1)
        case (.integer(let number), .date): return date(Double(number))
        case (.real(let number), .date): return date(number)
        case (.integer(let number), .decimal): return .string(String(number))
        case (.real(let number), .decimal): return .string(number.description)
        case (.integer(let number), _):
            return number.magnitude <= exactLimit ? .integer(Int(number)) : .string(String(number))
        case (.real(let number), _): return real(number)
        case (.text(let text), _): return .string(text)
        case (.blob(let bytes), .uuid) where bytes.count == 16:
            let uuid = Array(bytes).withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }
            return .string(UUID(uuid: uuid).uuidString)
        case (.blob(let bytes), _): return .string(Data(bytes).base64EncodedString())
        }
    }

    private static func date(_ seconds: Double) -> JSONValue {
        StoredDate.text(of: seconds).map { .string($0) } ?? real(seconds)
    }

    private static func real(_ number: Double) -> JSONValue {
        number.isFinite ? .number(number) : .string(number > 0 ? "Infinity" : "-Infinity")
    }

    /// The value as it is stored; `nil` for one that the attribute cannot have.
    static func stored(_ json: JSONValue, _ attribute: Attribute) -> SQLiteValue? {
        if case .null = json { return .null }
        switch attribute.type.values {
        case .boolean: return json.truth.map { .integer($0 ? 1 : 0) }
        case .integer:
            guard let number = integer(json), attribute.type.integers.contains(number) else {
                return nil
            }
            return .integer(number)
        case .double: return real(json).map { .real($0) }
        case .float: return real(json).map { .real(Double(Float($0))) }
        case .decimal:
            if json.text == "NaN" { return .text("NaN") }
            return integer(json).map { .integer($0) } ?? real(json).map { .real($0) }
        case .date: return seconds(json).map { .real($0) }
        case .string, .uri: return json.text.map { .text($0) }
        case .uuid:
            guard let uuid = json.text.flatMap(UUID.init(uuidString:)) else { return nil }
            return .blob(Data(withUnsafeBytes(of: uuid.uuid) { Array($0) }))
        case .binary, .transformable:
            return json.text.flatMap { Data(base64Encoded: $0) }.map { .blob($0) }
        case .undefined, .objectID, .composite: return nil
        }
    }

    private static func integer(_ json: JSONValue) -> Int64? {
        switch json {
        case .integer(let number): Int64(number)
        case .string(let text): Int64(text)
        default: nil
        }
    }

    private static func real(_ json: JSONValue) -> Double? {
        switch json {
        case .integer(let number): Double(number)
        case .number(let number): number
        case .string("Infinity"): .infinity
        case .string("-Infinity"): -.infinity
        case .string(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
        default: nil
        }
    }

    private static func seconds(_ json: JSONValue) -> Double? {
        guard let text = json.text, !["Infinity", "-Infinity"].contains(text) else {
            return real(json)
        }
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBytes { StoredDate.seconds(of: $0) }
    }
}

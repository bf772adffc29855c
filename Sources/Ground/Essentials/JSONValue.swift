/// Any JSON value, for documents whose shape is decided at run time.
package indirect enum JSONValue: Sendable, Hashable {
    case null
    case boolean(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case list([JSONValue])
    case object([String: JSONValue])

    /// Reads a document; throws the decoder's error for text that is not JSON or nests too deep.
    package init(parsing bytes: [UInt8]) throws {
        self = try JSONDecoder().decode(JSONValue.self, from: Data(bytes))
    }

    /// The first name that an object of a valid document has twice, of which decoding takes one.
    package static func repeatedName(in bytes: [UInt8]) -> String? {
        var open: [Set<String>] = []
        var position = 0
        while position < bytes.count {
            defer { position += 1 }
            switch bytes[position] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): open.append([])
            case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = open.popLast()
            case UInt8(ascii: "\""):
                let start = position
                repeat {
                    position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
                } while position < bytes.count && bytes[position] != UInt8(ascii: "\"")
                let rest = bytes.dropFirst(position + 1)
                guard rest.first(where: { $0 > UInt8(ascii: " ") }) == UInt8(ascii: ":"),
                    let name = try? JSONValue(parsing: Array(bytes[start...position])).text,
                    let object = open.indices.last, !open[object].insert(name).inserted
                else { continue }
                return name
            default: continue
            }
        }
        return nil
    }

    package subscript(key key: String) -> JSONValue? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    package var text: String? { if case .string(let text) = self { text } else { nil } }

    package var truth: Bool? { if case .boolean(let value) = self { value } else { nil } }

    package var items: [JSONValue]? { if case .list(let items) = self { items } else { nil } }

    /// The document: keys sorted, on one line or with an indent of two spaces.
    package func document(isPretty: Bool = false) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
        // Numbers that JSON lacks never occur.
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }
}

extension JSONValue: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Int.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([String: JSONValue].self) {
            self = .object(value)
        } else {
            self = .list(try container.decode([JSONValue].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .boolean(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .list(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(booleanLiteral value: Bool) { self = .boolean(value) }
    package init(integerLiteral value: Int) { self = .integer(value) }
    package init(arrayLiteral elements: JSONValue...) { self = .list(elements) }
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { $1 })
    }
}

extension JSONValue: CustomStringConvertible {
    package var description: String {
        switch self {
        case .null: "nothing"
        case .boolean(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        case .number(let value): String(value)
        case .string(let text): text
        case .list(let values): "[" + values.map(\.description).joined(separator: ", ") + "]"
        case .object(let values):
            "{"
                + values.keys.sorted().map { "\($0): \(values[$0] ?? .null)" }
                .joined(separator: ", ") + "}"
        }
    }
}

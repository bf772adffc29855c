import Essentials

/// Reads the notation of shapes, which is much like TypeScript's, as JSON Schema.
///
/// `name = { key: string "What it is.", other?: [integer] }` is an object with two keys, the second of which may be absent;
/// `{integer}` is one whose values are all integers, `"a" | "b"` one of two texts, `a | b` one of two shapes, and
/// `report { … }` the object of a report. A name defined by `:=` is replaced by its definition, other names are
/// references. A text instead of the name, with words after the shape, is the report of a command. Objects stay open: a
/// key added by a later version does not break validation with an older schema.
struct ShapeNotation {
    private(set) var shapes: [String: JSONValue] = [:]
    private(set) var reports: [(command: String, about: String, shape: JSONValue)] = []
    private var inline: [String: JSONValue] = [
        "string": ["type": "string"], "integer": ["type": "integer"],
        "number": ["type": "number"], "boolean": ["type": "boolean"], "any": [:],
    ]
    private var tokens: ArraySlice<String>

    /// Reads a text, which may use known shapes.
    static func read(_ text: String, knowing known: [String: JSONValue] = [:]) -> ShapeNotation {
        var notation = ShapeNotation(tokens: tokens(of: text)[...])
        notation.inline.merge(known) { $1 }
        while let name = notation.tokens.popFirst() {
            let isInline = notation.tokens.popFirst() == ":="
            let shape = notation.shape()
            if name.hasPrefix("\"") {
                notation.reports.append((String(name.dropFirst()), notation.words(), shape))
            } else if isInline {
                notation.inline[name] = shape
            } else {
                notation.shapes[name] = shape
            }
        }
        return notation
    }

    private init(tokens: ArraySlice<String>) { self.tokens = tokens }

    /// The words, marks and texts; a text keeps its opening quotation mark.
    private static func tokens(of text: String) -> [String] {
        text.split(separator: "\"", omittingEmptySubsequences: false).enumerated().flatMap {
            $0 % 2 == 1 ? ["\"" + $1] : marks(of: $1)
        }
    }

    private static func marks(of text: Substring) -> [String] {
        var result: [String] = []
        for part in text.split(whereSeparator: \.isWhitespace) {
            if part == ":=" {
                result.append(":=")
                continue
            }
            var word = ""
            for character in part {
                if character.isLetter || character.isNumber {
                    word.append(character)
                } else {
                    if !word.isEmpty { result.append(word) }
                    result.append(String(character))
                    word = ""
                }
            }
            if !word.isEmpty { result.append(word) }
        }
        return result
    }

    private mutating func takes(_ mark: String) -> Bool {
        guard tokens.first == mark else { return false }
        tokens.removeFirst()
        return true
    }

    private mutating func words() -> String {
        guard let text = tokens.first, text.hasPrefix("\"") else { return "" }
        tokens.removeFirst()
        return String(text.dropFirst())
    }

    private mutating func shape() -> JSONValue {
        var texts: [String] = []
        var choices: [JSONValue] = []
        repeat {
            if tokens.first?.hasPrefix("\"") == true {
                texts.append(words())
            } else {
                choices.append(single())
            }
        } while takes("|")
        if !texts.isEmpty { choices.insert(Self.oneOf(texts), at: 0) }
        return choices.count == 1 ? choices[0] : ["anyOf": .list(choices)]
    }

    private mutating func single() -> JSONValue {
        let word = tokens.popFirst() ?? ""
        let result: JSONValue
        switch word {
        case "[": result = ["type": "array", "items": shape()]
        case "(": result = shape()
        case "{":
            guard let mark = tokens.dropFirst().first, [":", "?"].contains(mark) else {
                result = ["type": "object", "additionalProperties": shape()]
                break
            }
            return object()
        case "report" where takes("{"): return object(isReport: true)
        default: return inline[word] ?? Self.reference(word)
        }
        tokens.removeFirst()
        return result
    }

    /// Reads an object; that of a report has the version of its shape, too.
    private mutating func object(isReport: Bool = false) -> JSONValue {
        var properties: [String: JSONValue] = [:]
        var required: [JSONValue] = []
        func add(_ name: String, _ schema: JSONValue, isOptional: Bool, _ about: String) {
            properties[name] = schema
            if !about.isEmpty, case .object(var keywords) = schema {
                keywords["description"] = .string(about)
                properties[name] = .object(keywords)
            }
            if !isOptional { required.append(.string(name)) }
        }
        if isReport {
            let about =
                "The version of the shape of all reports; it grows when a key is removed or changes its meaning."
            add("formatVersion", ["type": "integer"], isOptional: false, about)
        }
        while let name = tokens.popFirst(), name != "}" {
            let isOptional = takes("?")
            _ = takes(":")
            let shape = shape()
            add(name, shape, isOptional: isOptional, words())
            _ = takes(",")
        }
        return ["type": "object", "properties": .object(properties), "required": .list(required)]
    }

    static func oneOf(_ words: [String]) -> JSONValue {
        ["enum": .list(words.map(JSONValue.string))]
    }

    private static let definitions = "#/$defs/"

    static func reference(_ name: String) -> JSONValue { ["$ref": .string(definitions + name)] }

    /// The names of the definitions that a schema refers to directly.
    static func references(in schema: JSONValue) -> Set<String> {
        switch schema {
        case .object(let keywords):
            keywords.reduce(into: []) { names, keyword in
                if keyword.key == "$ref", let path = keyword.value.text {
                    names.insert(String(path.dropFirst(definitions.count)))
                } else {
                    names.formUnion(references(in: keyword.value))
                }
            }
        case .list(let items): items.reduce(into: []) { $0.formUnion(references(in: $1)) }
        case .null, .boolean, .integer, .number, .string: []
        }
    }
}

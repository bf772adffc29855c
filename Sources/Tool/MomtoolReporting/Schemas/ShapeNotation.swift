/// Reads the notation of shapes, which is much like TypeScript's.
///
/// `name = { key: string "What it is.", other?: [integer] }` is an object with two keys, the second of which may be absent;
/// `{integer}` is one whose values are all integers, `"a" | "b"` one of two texts, `a | b` one of two shapes, and
/// `report { … }` the object of a report. A name defined by `:=` is replaced by its definition, other names are
/// references. A text instead of the name, with words after the shape, is the report of a command.
struct ShapeNotation {
    private(set) var shapes: [String: JSONShape] = [:]
    private(set) var reports: [(command: String, about: String, shape: JSONShape)] = []
    private var inline: [String: JSONShape] = [
        "string": .string, "integer": .integer, "number": .number, "boolean": .boolean,
        "any": .anything,
    ]
    private var tokens: ArraySlice<String>

    /// Reads a text, which may use known shapes.
    static func read(_ text: String, knowing known: [String: JSONShape] = [:]) -> ShapeNotation {
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

    private mutating func shape() -> JSONShape {
        var texts: [String] = []
        var choices: [JSONShape] = []
        repeat {
            if tokens.first?.hasPrefix("\"") == true {
                texts.append(words())
            } else {
                choices.append(single())
            }
        } while takes("|")
        if !texts.isEmpty { choices.insert(.values(texts), at: 0) }
        return choices.count == 1 ? choices[0] : .either(choices)
    }

    private mutating func single() -> JSONShape {
        let word = tokens.popFirst() ?? ""
        let result: JSONShape
        switch word {
        case "[": result = .list(shape())
        case "(": result = shape()
        case "{":
            guard let mark = tokens.dropFirst().first, [":", "?"].contains(mark) else {
                result = .map(shape())
                break
            }
            return .object(members())
        case "report" where takes("{"): return .report(members())
        default: return inline[word] ?? .named(word)
        }
        tokens.removeFirst()
        return result
    }

    private mutating func members() -> [JSONMember] {
        var result: [JSONMember] = []
        while let name = tokens.popFirst(), name != "}" {
            let isOptional = takes("?")
            _ = takes(":")
            let shape = shape()
            let about = words()
            result.append(
                JSONMember(name: name, shape: shape, isOptional: isOptional, about: about)
            )
            _ = takes(",")
        }
        return result
    }
}

extension JSONShape {
    /// The object of a report, which begins with the version of its shape.
    fileprivate static func report(_ members: [JSONMember]) -> JSONShape {
        let about =
            "The version of the shape of all reports; it grows when a key is removed or changes its meaning."
        let version = JSONMember(name: "formatVersion", shape: .integer, about: about)
        return .object([version] + members)
    }
}

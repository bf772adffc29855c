package indirect enum YAMLNode: Sendable {
    case scalar(Scalar)
    case sequence([YAMLNode], Mark)
    case mapping(Mapping, Mark)

    /// A position in the text, counted from 1.
    package struct Mark: Sendable, Hashable {
        package var line: Int
        package var column: Int
    }

    package struct Scalar: Sendable {
        package var string: String
        /// Whether it has no quotation marks: only then may it be a number or a Boolean.
        package var isPlain: Bool
        package var mark: Mark
    }

    /// Keys and values in their order; keys are unique.
    package struct Mapping: Sendable, RandomAccessCollection {
        var entries: [(key: YAMLNode, value: YAMLNode)]

        package var startIndex: Int { entries.startIndex }
        package var endIndex: Int { entries.endIndex }

        package subscript(place: Int) -> (key: YAMLNode, value: YAMLNode) { entries[place] }

        package subscript(key: String) -> YAMLNode? {
            entries.first { $0.key.string == key }?.value
        }
    }

    package var mark: Mark {
        switch self {
        case .scalar(let scalar): scalar.mark
        case .sequence(_, let mark), .mapping(_, let mark): mark
        }
    }

    package var scalar: Scalar? { if case .scalar(let scalar) = self { scalar } else { nil } }

    package var sequence: [YAMLNode]? {
        if case .sequence(let nodes, _) = self { nodes } else { nil }
    }

    package var mapping: Mapping? {
        if case .mapping(let mapping, _) = self { mapping } else { nil }
    }

    package var string: String? { scalar?.string }

    /// A scalar that may be something other than a string.
    private var plain: String? { scalar.flatMap { $0.isPlain ? $0.string : nil } }

    /// The truth value of a plain text, as YAML 1.1 writes them.
    package var bool: Bool? {
        switch plain?.lowercased() {
        case "true", "yes", "on": true
        case "false", "no", "off": false
        default: nil
        }
    }

    /// The integer of a plain text, decimal or with the prefix `0x`, `0o`, `0b` or `0`.
    package var int: Int? {
        guard let text = plain?.replacing("_", with: "") else { return nil }
        let sign = text.hasPrefix("-") || text.hasPrefix("+") ? text.prefix(1) : ""
        let digits = text.dropFirst(sign.count)
        // A second sign is invalid.
        guard let first = digits.first, first.isHexDigit else { return nil }
        for (prefix, radix) in [("0x", 16), ("0b", 2), ("0o", 8), ("0", 8)]
        where digits.hasPrefix(prefix) && digits != "0" {
            let rest = digits.dropFirst(prefix.count)
            return rest.first?.isHexDigit == true ? Int(sign + rest, radix: radix) : nil
        }
        return Int(text)
    }

    package var float: Double? {
        guard let text = plain?.replacing("_", with: "") else { return nil }
        switch text.lowercased() {
        case ".inf", "+.inf": return .infinity
        case "-.inf": return -.infinity
        case ".nan": return .nan
        default: break
        }
        guard let last = text.last, last.isNumber || last == ".",
            text.allSatisfy({ $0.isNumber || "+-.eE".contains($0) })
        else { return nil }
        return Double(text)
    }

    package var isNull: Bool { ["", "~", "null", "Null", "NULL"].contains(plain ?? "text") }
}

import Essentials
package import ObjectModel

/// Returns the value of an attribute type from text as people write it: dates as ISO 8601.
///
/// `nil` if the text is not a value of the type, or the type has no values in text form.
package func attributeValue(ofText text: String, type: AttributeType) -> AttributeValue? {
    if type == .date {
        let date = try? Date(text, strategy: .iso8601)
        return date.map { .date($0.timeIntervalSinceReferenceDate) }
    }
    let value = ValueText(text: text)
    return value.isPlain(for: type) ? value.value(for: type) : nil
}

/// Reads the text of a default value or a limit as Apple's compiler does: leniently, by its beginning.
///
/// Integer attributes hold `NO`, `0.0` and the like in real files, Boolean ones `0` and `100` (SourceFormat,
/// "Vocabulary"); meaningless text counts as zero, and is reported.
struct ValueText {
    let text: String

    /// The value for an attribute type; `nil` for types whose values cannot be written as text.
    func value(for type: AttributeType) -> AttributeValue? {
        switch type.values {
        case .integer: .integer(leadingInteger)
        case .double: .double(leadingDouble)
        case .float: .float(Float(leadingDouble))
        case .decimal: (DecimalValue(text) ?? DecimalValue(leadingNumber)).map { .decimal($0) }
        case .string: .string(text)
        case .boolean: .boolean(isTrue)
        case .uuid: UUID(uuidString: text).map { .uuid($0) }
        case .uri: .uri(text)
        case .date, .binary, .transformable, .objectID, .composite, .undefined: nil
        }
    }

    /// Whether the whole text is meaningful, not just its beginning.
    func isPlain(for type: AttributeType) -> Bool {
        switch type.values {
        case .integer: isInteger(in: type.integers) || isWord
        case .double, .float: Double(text) != nil || isWord
        case .decimal: DecimalValue(text) != nil
        case .boolean: isWord || Double(text) != nil
        case .uuid: UUID(uuidString: text) != nil
        case .string, .uri, .date, .binary, .transformable, .objectID, .composite, .undefined: true
        }
    }

    private func isInteger(in range: ClosedRange<Int64>) -> Bool {
        if let integer = Int64(text) { return range.contains(integer) }
        return Double(text).map { $0 == $0.rounded() && abs($0) < 1e15 } ?? false
    }

    private var isWord: Bool { ["YES", "NO", "true", "false", "TRUE", "FALSE"].contains(text) }

    private var isTrue: Bool {
        // As in NSString's boolValue: after white space, sign and zeros, one of these letters or a digit.
        let rest = text.drop { " \t\n".contains($0) }.drop { "+-0".contains($0) }
        return rest.first.map { "YyTt123456789".contains($0) } ?? false
    }

    private var leadingInteger: Int64 {
        let number = leadingNumber.prefix { $0 != "." && $0 != "e" && $0 != "E" }
        if let integer = Int64(number) { return integer }
        guard number.contains(where: \.isNumber) else { return 0 }
        return number.first == "-" ? .min : .max
    }

    private var leadingDouble: Double { Double(leadingNumber) ?? 0 }

    /// The longest beginning of the text that is a number; empty when there is none.
    private var leadingNumber: String {
        let scalars = Array(text.utf8.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A })
        var end = 0
        func skipDigits() -> Bool {
            let start = end
            while end < scalars.count, (0x30...0x39).contains(scalars[end]) { end += 1 }
            return end > start
        }
        if end < scalars.count, scalars[end] == 0x2D || scalars[end] == 0x2B { end += 1 }
        let hasWhole = skipDigits()
        var length = hasWhole ? end : 0
        if end < scalars.count, scalars[end] == 0x2E {
            end += 1
            if skipDigits() || hasWhole { length = end }
        }
        if length > 0, end < scalars.count, scalars[end] | 0x20 == 0x65 {
            end += 1
            if end < scalars.count, scalars[end] == 0x2D || scalars[end] == 0x2B { end += 1 }
            if skipDigits() { length = end }
        }
        var number = String(decoding: scalars.prefix(length), as: UTF8.self)
        if number.hasPrefix("+") { number.removeFirst() }
        if number.hasSuffix(".") { number.removeLast() }
        return number
    }
}

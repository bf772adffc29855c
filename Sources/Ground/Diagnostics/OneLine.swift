extension String {
    /// The text without line breaks and control characters, each of which becomes its number as `\u000A`.
    ///
    /// Names come from files and may hold anything; in a message, a row or a cell they must not begin a line of their own,
    /// which a terminal or the log of a CI would take for something else.
    package var onOneLine: String {
        guard unicodeScalars.contains(where: \.breaksLines) else { return self }
        return escaping { $0.breaksLines }
    }

    /// The text between double quotes, as YAML and JSON read it.
    package var doubleQuoted: String {
        "\"" + backslashed.escaping { $0.value < 0x20 || $0.isObeyed } + "\""
    }

    /// The text with a backslash before each double quote and backslash, looked for in scalars: a combining mark hides a
    /// quote in a character.
    package var backslashed: String {
        unicodeScalars.reduce(into: "") { result, scalar in
            if scalar == "\"" || scalar == "\\" { result += "\\" }
            result.unicodeScalars.append(scalar)
        }
    }

    /// The text with the scalars that a condition picks as their numbers, by themselves or in another form.
    package func escaping(
        _ isEscaped: (Unicode.Scalar) -> Bool,
        as number: (Unicode.Scalar) -> String = \.escapedNumber
    ) -> String {
        var text = ""
        for scalar in unicodeScalars {
            if isEscaped(scalar) {
                text += number(scalar)
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

/// Returns two values as they are told side by side: what looks the same without being it, by its code points.
package func toldApart(_ first: String?, _ second: String?) -> (String?, String?) {
    guard first == second else { return (first, second) }
    let isEscaped = { (scalar: Unicode.Scalar) in !scalar.isASCII }
    return (first?.escaping(isEscaped), second?.escaping(isEscaped))
}

extension Unicode.Scalar {
    /// Whether a terminal would obey it, or show nothing of it: control characters, those that turn the direction of text,
    /// and those without width, but no line feed, no tab, and none of those that join letters.
    package var isObeyed: Bool {
        switch value {
        case 0x09, 0x0A: false
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        case 0xAD, 0x200B, 0x2060...0x2064, 0xFEFF, 0xE0000...0xE007F: true
        default: false
        }
    }

    /// Its number as JSON escapes it, in two halves where it takes two.
    package var escapedNumber: String {
        UTF16.encode(self).map { units in
            units.map { unit in
                let digits = String(unit, radix: 16, uppercase: true)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }.joined()
        } ?? ""
    }

    fileprivate var breaksLines: Bool { value == 0x0A || isObeyed }
}

extension Collection<String> {
    /// The first of some names, and how many more there are: `Book, Author and 7 more`.
    package func listed(most: Int) -> String {
        prefix(most).joined(separator: ", ") + (count > most ? " and \(count - most) more" : "")
    }
}

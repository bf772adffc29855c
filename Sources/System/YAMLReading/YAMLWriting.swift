/// Returns a text as YAML: plain where that is unambiguous, otherwise in double quotes.
///
/// It reads back as the same text as a key and as a value, in blocks and between brackets.
package func yamlText(_ text: String) -> String {
    guard !isPlainYAML(text) else { return text }
    var quoted = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        // Searched by scalars: a combining mark hides a quote in a character.
        case "\"", "\\": quoted += "\\\(scalar)"
        case _ where scalar.isEscaped:
            let digits = String(scalar.value, radix: 16, uppercase: true)
            let isShort = digits.count <= 4
            let zeros = String(repeating: "0", count: (isShort ? 4 : 8) - digits.count)
            quoted += (isShort ? "\\u" : "\\U") + zeros + digits
        default: quoted.unicodeScalars.append(scalar)
        }
    }
    return quoted + "\""
}

/// Whether a text needs no quotation marks: it begins like a word or a path, and is not a Boolean, number or null.
package func isPlainYAML(_ text: String) -> Bool {
    let words = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"]
    guard text.last != " ", !words.contains(text.lowercased()),
        // Numbers may have underscores anywhere.
        let first = text.unicodeScalars.first(where: { $0 != "_" }),
        first.properties.isAlphabetic
            || ["/", "./", "../"].contains(where: { text.utf8.starts(with: $0.utf8) })
    else { return false }
    return text.unicodeScalars.allSatisfy { scalar in
        // Some letters are invisible, and printed as their numbers.
        scalar.properties.isAlphabetic && !scalar.properties.isDefaultIgnorableCodePoint
            || ("0"..."9").contains(scalar) || "_./- ".unicodeScalars.contains(scalar)
    }
}

extension Unicode.Scalar {
    /// Whether it is written as its number: line breaks, what a terminal would obey, and what no document may contain.
    fileprivate var isEscaped: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069,
            0xFEFF, 0xFFFE, 0xFFFF, 0xE0000...0x10FFFF:
            true
        default: false
        }
    }
}

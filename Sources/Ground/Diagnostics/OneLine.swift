extension String {
    /// The text without line breaks and control characters, each replaced by its number as `\u000A`.
    ///
    /// Names come from files and may contain anything; in a message, a row or a cell they must not begin a new line, which
    /// a terminal or a CI log would misread.
    package var onOneLine: String {
        guard unicodeScalars.contains(where: \.breaksLines) else { return self }
        return escaping(\.breaksLines)
    }

    /// The text with a backslash before each double quote and backslash, searched by scalars: a combining mark hides a
    /// quote in a character.
    package var backslashed: String {
        unicodeScalars.reduce(into: "") { result, scalar in
            if scalar == "\"" || scalar == "\\" { result += "\\" }
            result.unicodeScalars.append(scalar)
        }
    }

    /// The text with the scalars that meet a condition, decomposed or not, as their numbers.
    ///
    /// Characters that shape their neighbours, as in emoji and in Arabic, are kept if they do so.
    package func escaping(
        _ isEscaped: (Unicode.Scalar) -> Bool,
        as number: (Unicode.Scalar) -> String = \.escapedNumber
    ) -> String {
        var text = ""
        let scalars = unicodeScalars
        for index in scalars.indices {
            if isEscaped(scalars[index]), !scalars.shapesSign(at: index) {
                text += number(scalars[index])
            } else {
                text.unicodeScalars.append(scalars[index])
            }
        }
        return text
    }

    /// Whether a terminal would obey or hide something in it.
    package var isObeyed: Bool {
        let scalars = unicodeScalars
        return scalars.indices.contains { scalars[$0].isObeyed && !scalars.shapesSign(at: $0) }
    }

    /// The text with all scalars that meet a condition replaced by their numbers, regardless of their neighbours.
    fileprivate func escapingAll(_ isEscaped: (Unicode.Scalar) -> Bool) -> String {
        unicodeScalars.map { isEscaped($0) ? $0.escapedNumber : String($0) }.joined()
    }
}

/// Returns two values so that a reader can distinguish them: look-alikes by their code points.
package func distinguished(_ first: String?, _ second: String?) -> (String?, String?) {
    guard first == second else { return (first, second) }
    let isEscaped = { (scalar: Unicode.Scalar) in !scalar.isASCII }
    return (first?.escapingAll(isEscaped), second?.escapingAll(isEscaped))
}

extension Unicode.Scalar {
    /// Whether a terminal would obey or hide it: control characters, those that change the direction of text, and those
    /// without width or ink, except line feeds and tabs.
    ///
    /// Some of them shape the adjacent sign, and stay there: see `escaping`.
    package var isObeyed: Bool {
        switch value {
        case 0x09, 0x0A: false
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E: true
        case 0xAD, 0x034F, 0x115F, 0x1160, 0x180E, 0x200B...0x200D, 0x2060...0x206F: true
        case 0x3164, 0xFE00...0xFE0F, 0xFEFF, 0xFFA0, 0xFFF9...0xFFFB: true
        case 0x1D173...0x1D17A, 0xE0000...0xE007F, 0xE0100...0xE01EF: true
        default: false
        }
    }

    /// Its number as JSON escapes it, in two surrogates where needed.
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
    /// The first of some names, and the number of the others: `Book, Author and 7 more`.
    package func listed(most: Int) -> String {
        // One more name is not longer than its number.
        guard count > most + 1 else { return joined(separator: ", ") }
        return prefix(most).joined(separator: ", ") + " and \(count - most) more"
    }
}

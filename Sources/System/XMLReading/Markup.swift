package enum MarkupPlace: Sendable, Hashable {
    /// Anywhere, even in quotes of either kind; line breaks in attributes become spaces.
    case anywhere
    /// Between two tags, with quotes unchanged, as in Apple's property lists.
    case element
    /// In an attribute between double quotes that preserves line breaks and tabs, as in Xcode's sources.
    case attribute
}

/// Returns text as markup; characters that XML does not allow become U+FFFD.
package func markup(_ text: String, in place: MarkupPlace = .anywhere) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
        switch (scalar, place) {
        case ("&", _): result += "&amp;"
        case ("<", _): result += "&lt;"
        case (">", _): result += "&gt;"
        case ("\"", .anywhere), ("\"", .attribute): result += "&quot;"
        case ("'", .anywhere): result += "&#39;"
        case ("\n", .attribute), ("\r", .attribute), ("\t", .attribute):
            result += "&#\(scalar.value);"
        default: result.unicodeScalars.append(hasMarkup(scalar) ? scalar : "\u{FFFD}")
        }
    }
    return result
}

/// Whether XML 1.0 has a way to write a character.
package func hasMarkup(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\t", "\n", "\r": true
    case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": false
    default: true
    }
}

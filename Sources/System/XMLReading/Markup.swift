/// Where text goes in a document of XML.
package enum MarkupPlace: Sendable, Hashable {
    /// Wherever it may be, in quotes of either kind too; line breaks in attributes become spaces.
    case anywhere
    /// Between two tags, with quotes as they are, as Apple's property lists have it.
    case element
    /// In an attribute between double quotes that gives line breaks and tabs back, as Xcode's sources have it.
    case attribute
}

/// Returns text as markup has it; characters that XML does not allow become U+FFFD.
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

/// The error of an invalid predicate or expression, with the offset where parsing stopped.
package struct PredicateSyntaxError: Error, Sendable, Hashable {
    package enum Reason: Sendable, Hashable {
        case unexpectedEnd(expected: String)
        case unexpected(String, expected: String)
        /// A character that begins nothing in this language.
        case unknownCharacter(String)
        case unterminatedString
        case unknownEscape(String)
        /// A number that fits no 64-bit integer or is otherwise malformed.
        case invalidNumber(String)
        /// `%@`, `%K` and their like, which only code can fill.
        case placeholder(String)
        case argumentCount(function: String, expected: Int, found: Int)
        /// Parentheses nested too deeply, or too many arithmetic signs.
        case tooComplex
    }

    package var reason: Reason
    /// The offset in UTF-8 bytes from the start of the text.
    package var offset: Int
}

extension PredicateSyntaxError: CustomStringConvertible {
    package var description: String {
        switch reason {
        case .unexpectedEnd(let expected): "the text ends where \(expected) is expected"
        case .unexpected(let found, let expected): "found '\(found)' where \(expected) is expected"
        case .unknownCharacter(let character): "'\(character)' is not allowed here in a predicate"
        case .unterminatedString: "close the string with its quote"
        case .unknownEscape(let escape):
            "'\\\(escape)' is not an escape sequence; double the backslash"
        case .invalidNumber(let text): "'\(text)' is not a number that fits in 64 bits"
        case .placeholder(let text):
            "replace the placeholder '\(text)', which only code can fill, with a value or a $VARIABLE"
        case .argumentCount(let function, let expected, let found):
            "'\(function)' takes \(expected) argument\(expected == 1 ? "" : "s"), not \(found); "
                + "a function's name has one colon for each"
        case .tooComplex: "the text is nested too deeply"
        }
    }
}

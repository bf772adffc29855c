enum PredicateToken: Hashable {
    /// A word; its position decides whether it is a keyword.
    case word(String)
    /// A word that a `#` marks as no keyword.
    case quotedWord(String)
    case operatorKey(String)
    /// A variable, without its `$`.
    case variable(String)
    case integer(UInt64)
    case double(Double)
    /// A string, its escapes resolved.
    case string(String)
    case sign(String)
    case end

    /// Whether this is a keyword, in upper or lower case.
    func isKeyword(_ keyword: String) -> Bool {
        guard case .word(let word) = self else { return false }
        return word.utf8.count == keyword.utf8.count && word.uppercased() == keyword
    }
}

struct PlacedPredicateToken {
    let token: PredicateToken
    let range: Range<Int>
}

struct PredicateLexer {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    /// Returns the tokens of the whole text; the last one marks the end.
    static func tokens(of text: String) throws(PredicateSyntaxError) -> [PlacedPredicateToken] {
        var lexer = PredicateLexer(text)
        var tokens: [PlacedPredicateToken] = []
        while true {
            lexer.skipSpace()
            let start = lexer.position
            let token = try lexer.next()
            tokens.append(PlacedPredicateToken(token: token, range: start..<lexer.position))
            if token == .end { return tokens }
        }
    }

    private mutating func next() throws(PredicateSyntaxError) -> PredicateToken {
        guard let byte = peek() else { return .end }
        if Self.isWordStart(byte) { return .word(word()) }
        if Self.isDigit(byte) { return try number() }
        if byte == UInt8(ascii: "."), let following = peek(1), Self.isDigit(following) {
            return try number()
        }
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return .string(try string(closedBy: byte))
        case UInt8(ascii: "$"): return .variable(try word(after: "a variable's name"))
        case UInt8(ascii: "#"): return .quotedWord(try word(after: "a key"))
        case UInt8(ascii: "@"): return .operatorKey("@" + (try word(after: "an operator's name")))
        case UInt8(ascii: "%"): throw placeholder()
        default: return .sign(try sign())
        }
    }

    private mutating func word(after expected: String) throws(PredicateSyntaxError) -> String {
        position += 1
        guard let byte = peek() else {
            throw PredicateSyntaxError(reason: .unexpectedEnd(expected: expected), offset: position)
        }
        guard Self.isWordStart(byte) else {
            throw PredicateSyntaxError(
                reason: .unexpected(character(at: position), expected: expected),
                offset: position
            )
        }
        return word()
    }

    private mutating func word() -> String {
        let start = position
        while let byte = peek(), Self.isWordPart(byte) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func sign() throws(PredicateSyntaxError) -> String {
        let pairs = ["==", "!=", "<>", "<=", "=<", ">=", "=>", "&&", "||", "**", "<<", ">>"]
        if position + 1 < bytes.count {
            let pair = String(decoding: bytes[position...(position + 1)], as: UTF8.self)
            if pairs.contains(pair) {
                position += 2
                return pair
            }
        }
        let sign = character(at: position)
        guard "=<>!()[]{},.:+-*/&|^~".contains(sign) else {
            throw PredicateSyntaxError(reason: .unknownCharacter(sign), offset: position)
        }
        position += 1
        return sign
    }

    private mutating func number() throws(PredicateSyntaxError) -> PredicateToken {
        let start = position
        if peek() == UInt8(ascii: "0"), peek(1) == UInt8(ascii: "x") || peek(1) == UInt8(ascii: "X")
        {
            position += 2
            let text = word()
            guard let value = UInt64(text, radix: 16) else { throw invalidNumber(from: start) }
            return .integer(value)
        }
        skipDigits()
        var isInteger = true
        if peek() == UInt8(ascii: "."), let following = peek(1), Self.isDigit(following) {
            isInteger = false
            position += 1
            skipDigits()
        }
        if peek() == UInt8(ascii: "e") || peek() == UInt8(ascii: "E") {
            isInteger = false
            position += 1
            if peek() == UInt8(ascii: "-") || peek() == UInt8(ascii: "+") { position += 1 }
            skipDigits()
        }
        if let byte = peek(), Self.isWordPart(byte) { throw invalidNumber(from: start) }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isInteger {
            guard let value = UInt64(text) else { throw invalidNumber(from: start) }
            return .integer(value)
        }
        guard let value = Double(text), value.isFinite else { throw invalidNumber(from: start) }
        return .double(value)
    }

    private mutating func string(closedBy quote: UInt8) throws(PredicateSyntaxError) -> String {
        let start = position
        position += 1
        var content: [UInt8] = []
        while let byte = peek() {
            position += 1
            if byte == quote { return String(decoding: content, as: UTF8.self) }
            if byte == UInt8(ascii: "\\") {
                content.append(try escaped())
            } else {
                content.append(byte)
            }
        }
        throw PredicateSyntaxError(reason: .unterminatedString, offset: start)
    }

    private mutating func escaped() throws(PredicateSyntaxError) -> UInt8 {
        guard let byte = peek() else {
            throw PredicateSyntaxError(reason: .unterminatedString, offset: position)
        }
        let meanings: [UInt8: UInt8] = [
            UInt8(ascii: "n"): UInt8(ascii: "\n"), UInt8(ascii: "t"): UInt8(ascii: "\t"),
            UInt8(ascii: "r"): UInt8(ascii: "\r"), UInt8(ascii: "\\"): UInt8(ascii: "\\"),
            UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "'"): UInt8(ascii: "'"),
        ]
        guard let meaning = meanings[byte] else {
            throw PredicateSyntaxError(
                reason: .unknownEscape(character(at: position)),
                offset: position - 1
            )
        }
        position += 1
        return meaning
    }

    private func placeholder() -> PredicateSyntaxError {
        let rest = bytes[position...].dropFirst().prefix { Self.isWordPart($0) }.prefix(3)
        let mark = rest.isEmpty ? bytes[position...].dropFirst().prefix(1) : rest
        let text = "%" + String(decoding: mark, as: UTF8.self)
        return PredicateSyntaxError(reason: .placeholder(text), offset: position)
    }

    private func invalidNumber(from start: Int) -> PredicateSyntaxError {
        let rest = bytes[start...].prefix { Self.isWordPart($0) || $0 == UInt8(ascii: ".") }
        return PredicateSyntaxError(
            reason: .invalidNumber(String(decoding: rest, as: UTF8.self)),
            offset: start
        )
    }

    private mutating func skipSpace() {
        while let byte = peek(), byte == 0x20 || (0x09...0x0D).contains(byte) { position += 1 }
    }

    private mutating func skipDigits() {
        while let byte = peek(), Self.isDigit(byte) { position += 1 }
    }

    private func peek(_ distance: Int = 0) -> UInt8? {
        position + distance < bytes.count ? bytes[position + distance] : nil
    }

    private func character(at offset: Int) -> String {
        String(String(decoding: bytes[offset...].prefix(64), as: UTF8.self).prefix(1))
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isWordStart(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte == UInt8(ascii: "_")
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }

    private static func isWordPart(_ byte: UInt8) -> Bool { isWordStart(byte) || isDigit(byte) }
}

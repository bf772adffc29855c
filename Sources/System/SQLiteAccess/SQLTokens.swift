/// A word of a statement.
package struct SQLToken: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// A bare name or keyword.
        case word
        case quotedName
        case other
        case end
    }

    package var kind: Kind
    /// The word, without the quotes of names.
    package var text: String
    /// The position of the word, in UTF-8 bytes.
    package var range: Range<Int>

    package func isKeyword(_ keyword: String) -> Bool {
        kind == .word && text.uppercased() == keyword
    }
}

/// Splits SQL into words, without comments and white space.
///
/// Never fails: broken text is left to SQLite, which sees the same bytes.
package func sqlTokens(_ bytes: [UInt8]) -> [SQLToken] {
    var tokens: [SQLToken] = []
    var place = 0
    while place < bytes.count {
        let byte = bytes[place]
        let next = place + 1 < bytes.count ? bytes[place + 1] : 0
        let start = place
        switch byte {
        case 9, 10, 12, 13, 32: place += 1
        case UInt8(ascii: "-") where next == UInt8(ascii: "-"):
            place = bytes[place...].firstIndex(of: 10) ?? bytes.count
        case UInt8(ascii: "/") where next == UInt8(ascii: "*"): place = commentEnd(bytes, place + 2)
        case UInt8(ascii: "'"):
            place = quoteEnd(bytes, place, byte)
            tokens.append(SQLToken(kind: .other, text: "'", range: start..<place))
        case UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "["):
            let close = byte == UInt8(ascii: "[") ? UInt8(ascii: "]") : byte
            place = quoteEnd(bytes, place, close)
            let inner = String(
                decoding: bytes[(start + 1)..<max(start + 1, place - 1)],
                as: UTF8.self
            )
            let quote = String(decoding: [close], as: UTF8.self)
            let text = inner.replacing(quote + quote, with: quote)
            tokens.append(SQLToken(kind: .quotedName, text: text, range: start..<place))
        case UInt8(ascii: ";"):
            place += 1
            tokens.append(SQLToken(kind: .end, text: ";", range: start..<place))
        case UInt8(ascii: "x") where next == UInt8(ascii: "'"),
            UInt8(ascii: "X") where next == UInt8(ascii: "'"):
            place = quoteEnd(bytes, place + 1, next)
            tokens.append(SQLToken(kind: .other, text: "'", range: start..<place))
        case _ where isWordByte(byte):
            place = bytes[place...].firstIndex { !isWordByte($0) } ?? bytes.count
            let text = String(decoding: bytes[start..<place], as: UTF8.self)
            let isNumber = byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
            tokens.append(
                SQLToken(kind: isNumber ? .other : .word, text: text, range: start..<place)
            )
        default:
            place += 1
            let text = String(decoding: [byte], as: UTF8.self)
            tokens.append(SQLToken(kind: .other, text: text, range: start..<place))
        }
    }
    return tokens
}

private func isWordByte(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte & 0xDF)
}

private func commentEnd(_ bytes: [UInt8], _ start: Int) -> Int {
    var place = start
    while place + 1 < bytes.count {
        if bytes[place] == UInt8(ascii: "*"), bytes[place + 1] == UInt8(ascii: "/") {
            return place + 2
        }
        place += 1
    }
    return bytes.count
}

private func quoteEnd(_ bytes: [UInt8], _ start: Int, _ close: UInt8) -> Int {
    var place = start + 1
    while place < bytes.count {
        if bytes[place] == close {
            guard place + 1 < bytes.count, bytes[place + 1] == close, close != UInt8(ascii: "]")
            else { return place + 1 }
            place += 1
        }
        place += 1
    }
    return bytes.count
}

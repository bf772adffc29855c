import SQLiteAccess

/// JSON in a binary attribute, as SwiftData keeps arrays of structs and dictionaries.
///
/// JSON without white space, as encoders write it, is shown as JSON and read back to the same bytes; others stay bytes.
struct EmbeddedJSON {
    static let marker = "@json"
    private static let depthLimit = 32

    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    /// Whether bytes are an object or a list in JSON without white space.
    static func isCompact(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let first = bytes.first, first == UInt8(ascii: "[") || first == UInt8(ascii: "{"),
            isUTF8(bytes)
        else { return false }
        var text = EmbeddedJSON(bytes: bytes)
        return text.takeValue(depth: 0) && text.position == bytes.count
    }

    /// Returns JSON without the white space between its parts.
    static func compact(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var isText = false
        var isEscaped = false
        for byte in bytes {
            let isBlank = [0x20, 0x09, 0x0A, 0x0D].contains(byte)
            if isText || !isBlank { result.append(byte) }
            if byte == UInt8(ascii: "\""), !isEscaped { isText.toggle() }
            isEscaped = isText && byte == UInt8(ascii: "\\") && !isEscaped
        }
        return result
    }

    private init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    private mutating func take(_ sign: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: sign) else { return false }
        position += 1
        return true
    }

    private mutating func takeValue(depth: Int) -> Bool {
        guard depth < Self.depthLimit, position < bytes.count else { return false }
        switch bytes[position] {
        case UInt8(ascii: "["):
            return takeParts(until: "]", depth: depth) { $0.takeValue(depth: depth + 1) }
        case UInt8(ascii: "{"):
            return takeParts(until: "}", depth: depth) { text in
                text.takeString() && text.take(":") && text.takeValue(depth: depth + 1)
            }
        case UInt8(ascii: "\""): return takeString()
        case UInt8(ascii: "t"): return takeWord("true")
        case UInt8(ascii: "f"): return takeWord("false")
        case UInt8(ascii: "n"): return takeWord("null")
        default: return takeNumber()
        }
    }

    /// Takes comma-separated parts, from the opening bracket on.
    private mutating func takeParts(
        until closing: Unicode.Scalar,
        depth: Int,
        _ part: (inout Self) -> Bool
    ) -> Bool {
        position += 1
        if take(closing) { return true }
        repeat { guard part(&self) else { return false } } while take(",")
        return take(closing)
    }

    private mutating func takeWord(_ word: StaticString) -> Bool {
        let end = position + word.utf8CodeUnitCount
        guard end <= bytes.count else { return false }
        let isEqual = word.withUTF8Buffer { bytes[position..<end].elementsEqual($0) }
        position = end
        return isEqual
    }

    private mutating func takeNumber() -> Bool {
        let start = position
        while position < bytes.count, isNumberByte(bytes[position]) { position += 1 }
        return isNumber(UnsafeRawBufferPointer(rebasing: bytes[start..<position]))
    }

    private mutating func takeString() -> Bool {
        guard take("\"") else { return false }
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return true
            case UInt8(ascii: "\\"): guard takeEscape() else { return false }
            case 0..<0x20: return false
            default: break
            }
        }
        return false
    }

    private mutating func takeEscape() -> Bool {
        guard position < bytes.count else { return false }
        let byte = bytes[position]
        position += 1
        if "\"\\/bfnrt".utf8.contains(byte) { return true }
        guard byte == UInt8(ascii: "u"), position + 4 <= bytes.count else { return false }
        let digits = bytes[position..<position + 4]
        position += 4
        // Surrogates are left to bytes: whether they form pairs is not checked.
        return digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
            && !["d", "D"].contains(Character(Unicode.Scalar(digits[digits.startIndex])))
    }
}

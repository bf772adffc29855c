import Essentials

/// Bytes of JSON that are gathered before they are handed on.
struct JSONText {
    private(set) var bytes: [UInt8] = []

    init(capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    mutating func append(_ text: StaticString) {
        bytes.append(
            contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        )
    }

    mutating func append(raw more: [UInt8]) {
        bytes.append(contentsOf: more)
    }

    mutating func append(raw text: String) {
        var text = text
        text.withUTF8 { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ number: Int64) {
        var rest = number.magnitude
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        let start = bytes.count
        repeat {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit))
            rest = quotient
        } while rest > 0
        bytes[start...].reverse()
    }

    /// Appends a string in quotes.
    mutating func append(quoted text: String) {
        var text = text
        text.withUTF8 { appendQuoted(UnsafeRawBufferPointer($0)) }
    }

    /// Appends UTF-8 in quotes; what is no UTF-8 must not get here.
    mutating func appendQuoted(_ text: UnsafeRawBufferPointer) {
        bytes.append(UInt8(ascii: "\""))
        var start = 0
        for index in 0..<text.count where mustEscape(text[index]) {
            bytes.append(contentsOf: text[start..<index])
            appendEscape(text[index])
            start = index + 1
        }
        bytes.append(contentsOf: text[start..<text.count])
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends bytes as base64 in quotes.
    mutating func appendBase64(_ data: UnsafeRawBufferPointer) {
        bytes.append(UInt8(ascii: "\""))
        bytes.reserveCapacity(bytes.count + (data.count + 2) / 3 * 4 + 1)
        var index = 0
        while data.count - index >= Base64.part {
            // Left to Foundation, which is fast in a build that optimizes nothing, too.
            let part = Data(data[index..<index + Base64.part])
            bytes.append(contentsOf: part.base64EncodedData())
            index += Base64.part
        }
        while index + 2 < data.count {
            let group =
                UInt32(data[index]) << 16 | UInt32(data[index + 1]) << 8 | UInt32(data[index + 2])
            appendSextets(of: group, count: 4)
            index += 3
        }
        switch data.count - index {
        case 1:
            appendSextets(of: UInt32(data[index]) << 16, count: 2)
            append("==")
        case 2:
            appendSextets(of: UInt32(data[index]) << 16 | UInt32(data[index + 1]) << 8, count: 3)
            append("=")
        default: break
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func appendSextets(of group: UInt32, count: UInt32) {
        for place in 0..<count {
            bytes.append(Base64.digit(UInt8(truncatingIfNeeded: group >> (18 - 6 * place) & 63)))
        }
    }

    private mutating func appendEscape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): append("\\\"")
        case UInt8(ascii: "\\"): append("\\\\")
        case 8: append("\\b")
        case 9: append("\\t")
        case 10: append("\\n")
        case 12: append("\\f")
        case 13: append("\\r")
        default:
            append(byte < 16 ? "\\u000" : "\\u001")
            append(raw: String(byte & 15, radix: 16))
        }
    }
}

private func mustEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
}

/// The digits of base64 (RFC 4648, section 4).
enum Base64 {
    /// The length of what long values are cut into: whole groups of three bytes, which need no padding.
    static let part = 3 << 10

    static func digit(_ value: UInt8) -> UInt8 {
        switch value {
        case 0..<26: UInt8(ascii: "A") + value
        case 26..<52: UInt8(ascii: "a") + value - 26
        case 52..<62: UInt8(ascii: "0") + value - 52
        case 62: UInt8(ascii: "+")
        default: UInt8(ascii: "/")
        }
    }

    static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }

    /// Reads base64 with its padding and without spaces; `nil` when it is none.
    static func bytes(of text: UnsafeRawBufferPointer) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        var result: [UInt8] = []
        result.reserveCapacity(text.count / 4 * 3)
        let padding = text.suffix(2).count { $0 == UInt8(ascii: "=") }
        let digits = text.count - padding
        guard text.isEmpty || padding < 2 || text[text.count - 2] == UInt8(ascii: "=") else {
            return nil
        }
        let start = digits / (part / 3 * 4) * (part / 3 * 4)
        for index in stride(from: 0, to: start, by: part / 3 * 4) {
            let digits = Data(text[index..<index + part / 3 * 4])
            guard let bytes = Data(base64Encoded: digits), bytes.count == part else { return nil }
            result.append(contentsOf: bytes)
        }
        var group: UInt32 = 0
        for index in start..<digits {
            guard let value = value(text[index]) else { return nil }
            group = group << 6 | UInt32(value)
            guard index & 3 == 3 else { continue }
            result.append(UInt8(truncatingIfNeeded: group >> 16))
            result.append(UInt8(truncatingIfNeeded: group >> 8))
            result.append(UInt8(truncatingIfNeeded: group))
            group = 0
        }
        switch padding {
        case 1:
            guard group & 3 == 0 else { return nil }
            result.append(UInt8(truncatingIfNeeded: group >> 10))
            result.append(UInt8(truncatingIfNeeded: group >> 2))
        case 2:
            guard group & 15 == 0 else { return nil }
            result.append(UInt8(truncatingIfNeeded: group >> 4))
        default: break
        }
        return result
    }
}

/// Says whether bytes are UTF-8 (RFC 3629).
func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    while index < bytes.count {
        let byte = bytes[index]
        if byte < 0x80 {
            index += 1
            continue
        }
        let (length, least, most): (Int, UInt8, UInt8)
        switch byte {
        case 0xC2...0xDF: (length, least, most) = (2, 0x80, 0xBF)
        case 0xE0: (length, least, most) = (3, 0xA0, 0xBF)
        case 0xED: (length, least, most) = (3, 0x80, 0x9F)
        case 0xE1...0xEF: (length, least, most) = (3, 0x80, 0xBF)
        case 0xF0: (length, least, most) = (4, 0x90, 0xBF)
        case 0xF1...0xF3: (length, least, most) = (4, 0x80, 0xBF)
        case 0xF4: (length, least, most) = (4, 0x80, 0x8F)
        default: return false
        }
        guard index + length <= bytes.count, bytes[index + 1] >= least, bytes[index + 1] <= most
        else {
            return false
        }
        for place in 2..<max(2, length) where bytes[index + place] & 0xC0 != 0x80 { return false }
        index += length
    }
    return true
}

import Diagnostics
import Essentials

/// JSON that is gathered before it is passed on.
struct JSONText {
    private(set) var bytes: [UInt8] = []

    init(capacity: Int) { bytes.reserveCapacity(capacity) }

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    mutating func append(_ text: StaticString) {
        bytes.append(
            contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        )
    }

    mutating func append(raw more: [UInt8]) { bytes.append(contentsOf: more) }

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

    mutating func append(quoted text: String) {
        var text = text
        text.withUTF8 { appendQuoted(UnsafeRawBufferPointer($0)) }
    }

    /// Appends UTF-8 in quotes; the bytes must be valid.
    ///
    /// Characters that a terminal would obey, and number signs that the log of a CI would, are written as their
    /// numbers: rows are printed too.
    mutating func appendQuoted(_ text: UnsafeRawBufferPointer) {
        bytes.append(UInt8(ascii: "\""))
        var start = 0
        for index in 0..<text.count where mayNeedEscape(text[index]) {
            if mustEscape(text[index]) {
                bytes.append(contentsOf: text[start..<index])
                appendEscape(text[index])
                start = index + 1
            } else if let scalar = obeyedScalar(text, at: index) {
                bytes.append(contentsOf: text[start..<index])
                appendNumber(scalar)
                start = index + scalar.utf8.count
            }
        }
        bytes.append(contentsOf: text[start..<text.count])
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends an object with one member, whose name says what its value is.
    mutating func append(marked name: String, _ value: (inout JSONText) -> Void) {
        append("{")
        append(quoted: name)
        append(": ")
        value(&self)
        append("}")
    }

    mutating func appendBase64(_ data: UnsafeRawBufferPointer) {
        bytes.append(UInt8(ascii: "\""))
        bytes.reserveCapacity(bytes.count + (data.count + 2) / 3 * 4 + 1)
        bytes.append(contentsOf: Data(data).base64EncodedData())
        bytes.append(UInt8(ascii: "\""))
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
        default: appendNumber(Unicode.Scalar(byte))
        }
    }

    private mutating func appendNumber(_ scalar: Unicode.Scalar) {
        for unit in String(scalar).utf16 {
            append("\\u")
            append(raw: unit.hexadecimal(4))
        }
    }
}

private func mustEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
}

/// Whether a byte has to be escaped, or begins a character that may have to be.
private func mayNeedEscape(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "#"), 0x7F, 0xC2, 0xCD, 0xD8, 0xE1, 0xE2, 0xE3, 0xEF, 0xF0, 0xF3: true
    default: mustEscape(byte)
    }
}

/// Whether a byte that many scripts share may begin an invisible character, judging by the next byte.
private func mayBegin(_ byte: UInt8, _ next: UInt8) -> Bool {
    switch byte {
    case 0xCD: next == 0x8F
    case 0xE1: next == 0x85 || next == 0xA0
    case 0xE3: next == 0x85
    case 0xF0: next == 0x9D
    default: true
    }
}

/// The character at a byte of UTF-8 that a terminal or a CI log would obey or hide; characters that shape others are
/// parts of values.
private func obeyedScalar(_ text: UnsafeRawBufferPointer, at index: Int) -> Unicode.Scalar? {
    if text[index] == UInt8(ascii: "#") {
        // In `##[` and `##vso[` the second sign is escaped.
        let isMark = ["[", "vso["].contains { text[(index + 1)...].starts(with: $0.utf8) }
        return isMark && index > 0 && text[index - 1] == UInt8(ascii: "#") ? "#" : nil
    }
    guard index + 1 == text.count || mayBegin(text[index], text[index + 1]) else { return nil }
    let byte = UInt32(text[index])
    let (count, first): (Int, UInt32) =
        switch byte {
        case 0xF0...: (3, byte & 0x07)
        case 0xE0...: (2, byte & 0x0F)
        case 0xC0...: (1, byte & 0x1F)
        default: (0, byte)
        }
    let rest = text[(index + 1)...].prefix(count)
    guard rest.count == count else { return nil }
    let value = rest.reduce(first) { $0 << 6 | UInt32($1 & 0x3F) }
    return Unicode.Scalar(value).flatMap { $0.isObeyed && !$0.mayShapeSigns ? $0 : nil }
}

/// Base64 (RFC 4648, section 4) in its canonical form.
enum Base64 {
    /// Reads base64 with its padding and without spaces; `nil` when it is none.
    static func bytes(of text: UnsafeRawBufferPointer) -> [UInt8]? {
        guard !text.isEmpty else { return [] }
        guard let data = Data(base64Encoded: Data(text)) else { return nil }
        // The last group must be canonical: no unused bit of it may be set.
        let last = data.suffix((data.count + 2) % 3 + 1)
        guard (data.count + 2) / 3 * 4 == text.count,
            Data(last).base64EncodedData().elementsEqual(text.suffix(4))
        else { return nil }
        return Array(data)
    }
}

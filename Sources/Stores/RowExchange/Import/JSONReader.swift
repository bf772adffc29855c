import Diagnostics
import SQLiteAccess

/// Reads JSON (RFC 8259) from front to back, holding one piece of the text at a time.
///
/// Strings and numbers are bytes that are valid until the next call.
final class JSONReader {
    private let source: RowSource
    private let depthLimit: Int
    private var buffer: UnsafeMutableRawBufferPointer
    private var position = 0
    private var end = 0
    private var base = 0
    private var line = 1
    private var lineStart = 0
    private var unescaped: [UInt8] = []
    /// The skipped part of a value that is copied verbatim, and where in the buffer the rest begins.
    private var raw: (bytes: [UInt8], start: Int)?

    init(_ source: RowSource, depthLimit: Int = 64) {
        (self.source, self.depthLimit) = (source, depthLimit)
        buffer = .allocate(byteCount: 1 << 17, alignment: 16)
    }

    /// Reads a value that a row leaves out.
    convenience init(text: String, like reader: JSONReader) {
        self.init(RowSource(bytes: Array(text.utf8), path: reader.place.path))
    }

    deinit { buffer.deallocate() }

    /// The greatest length of a string, in bytes; SQLite takes no greater values.
    private static let stringLimit = 1_000_000_000

    var place: FileLocation {
        FileLocation(path: source.path, line: line, column: base + position - lineStart + 1)
    }

    /// An offset that becomes a location on demand.
    var mark: (line: Int, column: Int) { (line, base + position - lineStart + 1) }

    func location(_ mark: (line: Int, column: Int)) -> FileLocation {
        FileLocation(path: source.path, line: mark.line, column: mark.column)
    }

    /// Skips white space and returns the next byte without taking it; `nil` at the end.
    func peek() throws(StoreError) -> UInt8? {
        while true {
            while position < end {
                let byte = buffer[position]
                switch byte {
                case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): position += 1
                case UInt8(ascii: "\n"):
                    position += 1
                    line += 1
                    lineStart = base + position
                default: return byte
                }
            }
            guard try fill(keepingFrom: position) else { return nil }
        }
    }

    func take(_ sign: Unicode.Scalar) throws(StoreError) -> Bool {
        guard try peek() == UInt8(ascii: sign) else { return false }
        position += 1
        return true
    }

    func expect(_ sign: Unicode.Scalar) throws(StoreError) {
        guard try take(sign) else { throw try unexpected("'\(sign)'") }
    }

    func string() throws(StoreError) -> UnsafeRawBufferPointer {
        let opening = mark
        guard try peek() == UInt8(ascii: "\"") else { throw try unexpected("a string") }
        position += 1
        var start = position
        var isPlain = true
        while true {
            while position < end {
                let byte = buffer[position]
                if byte == UInt8(ascii: "\"") {
                    let text = UnsafeRawBufferPointer(rebasing: buffer[start..<position])
                    guard isPlain || isUTF8(text) else {
                        throw failure("the string is not UTF-8", at: opening)
                    }
                    position += 1
                    return text
                }
                if byte == UInt8(ascii: "\\") { return try escapedString(from: start, opening) }
                if byte < 0x20 { throw failure("escape the control character in the string") }
                if byte >= 0x80 { isPlain = false }
                position += 1
            }
            guard position - start < Self.stringLimit, try fill(keepingFrom: start) else {
                throw failure("the string does not end", at: opening)
            }
            start = 0
        }
    }

    func number() throws(StoreError) -> UnsafeRawBufferPointer {
        _ = try peek()
        let opening = mark
        var start = position
        while true {
            while position < end, isNumberByte(buffer[position]) { position += 1 }
            guard position == end, position - start < 4096 else { break }
            let isMore = try fill(keepingFrom: start)
            start = 0
            if !isMore { break }
        }
        let text = UnsafeRawBufferPointer(rebasing: buffer[start..<position])
        guard isNumber(text) else { throw failure("this is not a JSON number", at: opening) }
        return text
    }

    func word() throws(StoreError) -> String {
        _ = try peek()
        let opening = mark
        var text: [UInt8] = []
        while text.count < 6 {
            if position == end, try !fill(keepingFrom: position) { break }
            let byte = buffer[position]
            guard byte >= UInt8(ascii: "a"), byte <= UInt8(ascii: "z") else { break }
            text.append(byte)
            position += 1
        }
        let word = String(decoding: text, as: UTF8.self)
        guard ["true", "false", "null"].contains(word) else {
            throw failure("a value is expected here", at: opening)
        }
        return word
    }

    func skipValue() throws(StoreError) {
        var open: [Unicode.Scalar] = []
        repeat {
            guard try !beginValue(&open) else { continue }
            while let closing = open.last {
                if try take(",") {
                    if closing == "}" { try skipKey() }
                    break
                }
                guard try take(closing) else { throw try unexpected("',' or '\(closing)'") }
                open.removeLast()
            }
        } while !open.isEmpty
    }

    /// Takes any value verbatim, except for the white space between its parts.
    func rawValue() throws(StoreError) -> [UInt8] {
        _ = try peek()
        raw = ([], position)
        defer { raw = nil }
        try skipValue()
        guard let raw else { return [] }
        return EmbeddedJSON.compact(raw.bytes + buffer[raw.start..<position])
    }

    /// Skips a value, or the beginning of one that contains others, and tells which.
    private func beginValue(_ open: inout [Unicode.Scalar]) throws(StoreError) -> Bool {
        switch try peek() {
        case UInt8(ascii: "{")?, UInt8(ascii: "[")?:
            guard open.count < depthLimit else { throw failure("nested too deeply") }
            let closing: Unicode.Scalar = buffer[position] == UInt8(ascii: "{") ? "}" : "]"
            position += 1
            if try take(closing) { return false }
            open.append(closing)
            if closing == "}" { try skipKey() }
            return true
        case UInt8(ascii: "\"")?: _ = try string()
        case UInt8(ascii: "-")?: _ = try number()
        case let byte? where byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9"):
            _ = try number()
        case UInt8(ascii: "t")?, UInt8(ascii: "f")?, UInt8(ascii: "n")?: _ = try word()
        default: throw try unexpected("a value")
        }
        return false
    }

    private func skipKey() throws(StoreError) {
        _ = try string()
        try expect(":")
    }

    func failure(_ message: String, at mark: (line: Int, column: Int)? = nil) -> StoreError {
        .rows(Diagnostic("invalid-json", message, at: location(mark ?? self.mark)))
    }

    func unexpected(_ expected: String) throws(StoreError) -> StoreError {
        guard let byte = try peek() else {
            return failure("the text ends where \(expected) is expected")
        }
        let isPrintable = byte > 0x20 && byte < 0x7F
        let found = isPrintable ? "'\(Character(Unicode.Scalar(byte)))'" : "something else"
        return failure("found \(found) where \(expected) is expected")
    }

    /// Reads on, moving the bytes from an index on to the beginning of the buffer, even when it is `false` at the end.
    private func fill(keepingFrom start: Int) throws(StoreError) -> Bool {
        let kept = end - start
        if let taken = raw { raw = (taken.bytes + buffer[taken.start..<start], 0) }
        if kept > buffer.count / 2 {
            let larger = UnsafeMutableRawBufferPointer.allocate(
                byteCount: buffer.count * 2,
                alignment: 16
            )
            larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[start..<end]))
            buffer.deallocate()
            buffer = larger
        } else if kept > 0, start > 0, let address = buffer.baseAddress {
            address.copyMemory(from: address + start, byteCount: kept)
        }
        base += start
        position -= start
        end = kept
        let room = UnsafeMutableRawBufferPointer(rebasing: buffer[kept...])
        let count = try source.read(into: room, at: base + kept)
        end += count
        return count > 0
    }

    private func escapedString(
        from start: Int,
        _ opening: (line: Int, column: Int)
    ) throws(StoreError) -> UnsafeRawBufferPointer {
        unescaped.removeAll(keepingCapacity: true)
        unescaped.append(contentsOf: buffer[start..<position])
        while true {
            guard let byte = try next() else {
                throw failure("the string does not end", at: opening)
            }
            switch byte {
            case UInt8(ascii: "\""):
                let text = unescaped.withUnsafeBytes { $0 }
                guard isUTF8(text) else { throw failure("the string is not UTF-8", at: opening) }
                return text
            case UInt8(ascii: "\\"): try unescape()
            case 0..<0x20: throw failure("escape the control character in the string")
            default: unescaped.append(byte)
            }
            guard unescaped.count < Self.stringLimit else {
                throw failure("the string is too long", at: opening)
            }
        }
    }

    private func unescape() throws(StoreError) {
        let place = mark
        switch try next() {
        case UInt8(ascii: "\"")?: unescaped.append(UInt8(ascii: "\""))
        case UInt8(ascii: "\\")?: unescaped.append(UInt8(ascii: "\\"))
        case UInt8(ascii: "/")?: unescaped.append(UInt8(ascii: "/"))
        case UInt8(ascii: "b")?: unescaped.append(8)
        case UInt8(ascii: "f")?: unescaped.append(12)
        case UInt8(ascii: "n")?: unescaped.append(10)
        case UInt8(ascii: "r")?: unescaped.append(13)
        case UInt8(ascii: "t")?: unescaped.append(9)
        case UInt8(ascii: "u")?:
            var unit = try hexadecimalUnit()
            if unit & 0xFC00 == 0xD800, try next() == UInt8(ascii: "\\"),
                try next() == UInt8(ascii: "u")
            {
                let low = try hexadecimalUnit()
                guard low & 0xFC00 == 0xDC00 else {
                    throw failure("half of a surrogate pair is not a character", at: place)
                }
                unit = 0x10000 + (unit & 0x3FF) << 10 + low & 0x3FF
            }
            guard let scalar = Unicode.Scalar(unit) else {
                throw failure("half of a surrogate pair is not a character", at: place)
            }
            unescaped.append(
                contentsOf: Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            )
        default: throw failure("this is not a JSON escape; double the backslash", at: place)
        }
    }

    private func hexadecimalUnit() throws(StoreError) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = try next().flatMap({ Character(Unicode.Scalar($0)).hexDigitValue })
            else { throw failure("four hexadecimal digits are expected") }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }

    private func next() throws(StoreError) -> UInt8? {
        if position == end, try !fill(keepingFrom: position) { return nil }
        position += 1
        return buffer[position - 1]
    }
}

func isNumberByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
        UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
        true
    default: false
    }
}

/// Whether a text is a JSON number.
func isNumber(_ text: UnsafeRawBufferPointer) -> Bool {
    var rest = text[...]
    func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
    func takeDigits() -> Int {
        let count = rest.prefix(while: isDigit).count
        rest = rest.dropFirst(count)
        return count
    }
    if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
    let startsWithZero = rest.first == UInt8(ascii: "0")
    let whole = takeDigits()
    guard whole > 0, !startsWithZero || whole == 1 else { return false }
    if rest.first == UInt8(ascii: ".") {
        rest = rest.dropFirst()
        guard takeDigits() > 0 else { return false }
    }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
        rest = rest.dropFirst()
        if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") {
            rest = rest.dropFirst()
        }
        guard takeDigits() > 0 else { return false }
    }
    return rest.isEmpty
}

extension JSONReader {
    func takeNull() throws(StoreError) -> Bool {
        guard try peek() == UInt8(ascii: "n") else { return false }
        _ = try word()
        return true
    }

    /// Passes on the name of each member of an object after its opening brace, with its location, and takes the closing
    /// one; the body takes the colon and the value.
    ///
    /// The bytes of the name are valid until the next read.
    func forEachMember(
        _ body: (UnsafeRawBufferPointer, (line: Int, column: Int)) throws(StoreError) -> Void
    ) throws(StoreError) {
        if try take("}") { return }
        repeat {
            _ = try peek()
            let mark = mark
            try body(try string(), mark)
        } while try take(",")
        guard try take("}") else { throw try unexpected("',' or '}'") }
    }

    /// Calls the body, which takes it, for each element of an array behind its bracket, and takes the closing one.
    func forEachElement(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        if try take("]") { return }
        repeat { try body() } while try take(",")
        guard try take("]") else { throw try unexpected("',' or ']'") }
    }
}

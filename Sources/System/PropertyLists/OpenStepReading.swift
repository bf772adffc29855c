package import Diagnostics
import Essentials

/// A property list in the text form of OpenStep, such as `project.pbxproj`.
package struct OpenStepList: Sendable {
    package var value: PropertyList
    /// The locations of the keys of dictionaries in the outermost one, such as the identifiers of a project's objects.
    package var places: [String: FileLocation]

    package init(value: PropertyList, places: [String: FileLocation] = [:]) {
        (self.value, self.places) = (value, places)
    }
}

/// Reads a property list in the text form of OpenStep: dictionaries in braces, arrays in parentheses, data in angle
/// brackets, strings with or without quotes, comments as in C.
///
/// The bytes are UTF-8, and locations name `path`. Throws `PropertyListError.malformedText` where reading stopped.
package func readOpenStepPropertyList(
    _ bytes: [UInt8],
    path: String = ""
) throws(PropertyListError) -> OpenStepList {
    var reader = OpenStepReader(bytes: bytes, path: path)
    let value = try reader.document()
    return OpenStepList(value: value, places: reader.places)
}

private struct OpenStepReader {
    private let bytes: [UInt8]
    private let path: String
    private var position = 0
    /// The text before this is already counted in `line`.
    private var counted = (offset: 0, line: 1, lineStart: 0)
    private(set) var places: [String: FileLocation] = [:]

    /// Deeper than any project, and shallow enough for a thread's stack.
    private static let depthLimit = 100

    init(bytes: [UInt8], path: String) {
        (self.bytes, self.path) = (bytes, path)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    mutating func document() throws(PropertyListError) -> PropertyList {
        let value = try value(depth: 0)
        try skipBlanks()
        guard position == bytes.count else { throw fault("there is more text after the list") }
        return value
    }

    private mutating func value(depth: Int) throws(PropertyListError) -> PropertyList {
        guard depth <= Self.depthLimit else { throw fault("collections are nested too deeply") }
        try skipBlanks()
        switch current {
        case UInt8(ascii: "{"): return try dictionary(depth: depth)
        case UInt8(ascii: "("): return try array(depth: depth)
        case UInt8(ascii: "<"): return try data()
        default: return .string(try string())
        }
    }

    private mutating func dictionary(depth: Int) throws(PropertyListError) -> PropertyList {
        position += 1
        var values: [String: PropertyList] = [:]
        while true {
            try skipBlanks()
            if take("}") { return .dictionary(values) }
            let start = position
            let key = try string()
            if depth == 1, places[key] == nil { places[key] = location(of: start) }
            try skipBlanks()
            guard take("=") else { throw fault("write '=' after the key '\(key.prefix(40))'") }
            let value = try value(depth: depth + 1)
            if values[key] == nil { values[key] = value }
            try skipBlanks()
            guard take(";") else { throw fault("write ';' after the value of '\(key.prefix(40))'") }
        }
    }

    private mutating func array(depth: Int) throws(PropertyListError) -> PropertyList {
        position += 1
        var values: [PropertyList] = []
        while true {
            try skipBlanks()
            if take(")") { return .array(values) }
            values.append(try value(depth: depth + 1))
            try skipBlanks()
            guard !take(",") else { continue }
            guard take(")") else { throw fault("write ',' or ')' after a value of an array") }
            return .array(values)
        }
    }

    private mutating func data() throws(PropertyListError) -> PropertyList {
        position += 1
        var digits: [UInt8] = []
        while let byte = current, byte != UInt8(ascii: ">") {
            position += 1
            if isBlank(byte) { continue }
            guard let digit = Character(UnicodeScalar(byte)).hexDigitValue else {
                throw fault("write data in hexadecimal digits")
            }
            digits.append(UInt8(digit))
        }
        guard take(">"), digits.count.isMultiple(of: 2) else {
            throw fault("end data with a whole byte and '>'")
        }
        let pairs = stride(from: 0, to: digits.count, by: 2)
        return .data(.init(pairs.map { digits[$0] << 4 | digits[$0 + 1] }))
    }

    private mutating func string() throws(PropertyListError) -> String {
        guard let first = current else { throw fault("the file ends too early") }
        if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") { return try quoted(first) }
        let start = position
        while let byte = current, isPlain(byte), !startsComment { position += 1 }
        guard position > start else {
            throw fault("'\(Character(UnicodeScalar(first)))' is not a value")
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func quoted(_ quote: UInt8) throws(PropertyListError) -> String {
        let start = position
        position += 1
        var text: [UInt8] = []
        while let byte = current {
            position += 1
            if byte == quote { return String(decoding: text, as: UTF8.self) }
            guard byte == UInt8(ascii: "\\"), let escape = current else {
                text.append(byte)
                continue
            }
            position += 1
            text += escaped(escape)
        }
        position = start
        throw fault("a string does not end")
    }

    private mutating func escaped(_ letter: UInt8) -> [UInt8] {
        switch letter {
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "U"), UInt8(ascii: "u"): return scalar(digits: 4, radix: 16)
        case UInt8(ascii: "0")...UInt8(ascii: "7"):
            position -= 1
            return scalar(digits: 3, radix: 8)
        default: return [letter]
        }
    }

    private mutating func scalar(digits count: Int, radix: Int) -> [UInt8] {
        var number: UInt32 = 0
        for _ in 0..<count {
            guard let byte = current,
                let digit = Character(UnicodeScalar(byte)).hexDigitValue, digit < radix
            else { break }
            number = number * UInt32(radix) + UInt32(digit)
            position += 1
        }
        // Octal numbers above ASCII are in NeXT's own encoding, which no project uses.
        let isKnown = radix == 16 || number < 0x80
        let scalar = isKnown ? UnicodeScalar(number) : nil
        return Array(String(Character(scalar ?? "\u{FFFD}")).utf8)
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private var startsComment: Bool {
        guard bytes[position] == UInt8(ascii: "/"), position + 1 < bytes.count else { return false }
        return bytes[position + 1] == UInt8(ascii: "*")
    }

    private mutating func take(_ sign: Unicode.Scalar) -> Bool {
        guard current == UInt8(ascii: sign) else { return false }
        position += 1
        return true
    }

    private mutating func skipBlanks() throws(PropertyListError) {
        while let byte = current {
            if isBlank(byte) {
                position += 1
            } else if byte == UInt8(ascii: "/"), position + 1 < bytes.count,
                bytes[position + 1] == UInt8(ascii: "/")
            {
                while let byte = current, byte != 0x0A, byte != 0x0D { position += 1 }
            } else if startsComment {
                let start = position
                position += 2
                while position < bytes.count, !bytes[position...].starts(with: Array("*/".utf8)) {
                    position += 1
                }
                guard position < bytes.count else {
                    position = start
                    throw fault("a comment does not end")
                }
                position += 2
            } else {
                return
            }
        }
    }

    private mutating func fault(_ message: String) -> PropertyListError {
        .malformedText(Diagnostic("malformed-property-list", message, at: location(of: position)))
    }

    /// Counts lines from the previous position: locations are requested from the top of the file to its end.
    private mutating func location(of offset: Int) -> FileLocation {
        if offset < counted.offset { counted = (0, 1, 0) }
        for place in counted.offset..<min(offset, bytes.count) where bytes[place] == 0x0A {
            counted.line += 1
            counted.lineStart = place + 1
        }
        counted.offset = min(offset, bytes.count)
        return FileLocation(path: path, line: counted.line, column: offset - counted.lineStart + 1)
    }
}

private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

private func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
    default: "_$/:.-+~@%".utf8.contains(byte)
    }
}

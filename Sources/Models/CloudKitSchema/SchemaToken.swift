import Diagnostics

struct SchemaToken: Equatable {
    enum Kind: Equatable {
        case word
        /// A name in quotes, which `text` omits.
        case quoted
        case mark
        /// Bytes that begin no token, or unclosed quotes.
        case unknown
        case end
    }

    var kind: Kind
    var text: String
    var location: FileLocation

    /// Whether it is a keyword, in letters of either case.
    func isKeyword(_ word: String) -> Bool { kind == .word && text.uppercased() == word }

    func isMark(_ mark: String) -> Bool { kind == .mark && text == mark }

    /// The token as messages quote it.
    var shown: String { kind == .end ? "the end of the text" : "'\(text)'" }
}

/// Splits the text form of a schema into tokens, without comments and blanks.
struct SchemaScanner {
    private let bytes: [UInt8]
    private let path: String
    private var offset = 0
    private var line = 1
    private var lineStart = 0

    init(_ text: String, path: String) {
        bytes = Array(text.utf8)
        self.path = path
        // A byte order mark is not part of the text.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { (offset, lineStart) = (3, 3) }
    }

    mutating func next() -> SchemaToken {
        skipBlanksAndComments()
        let location = FileLocation(path: path, line: line, column: offset - lineStart + 1)
        guard offset < bytes.count else {
            return SchemaToken(kind: .end, text: "", location: location)
        }
        let start = offset
        switch bytes[offset] {
        case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ","), UInt8(ascii: ";"),
            UInt8(ascii: "<"), UInt8(ascii: ">"):
            offset += 1
            return SchemaToken(kind: .mark, text: text(from: start), location: location)
        case UInt8(ascii: "\""): return quotedName(at: location)
        case let byte where isNameByte(byte):
            while offset < bytes.count, isNameByte(bytes[offset]) { offset += 1 }
            return SchemaToken(kind: .word, text: text(from: start), location: location)
        default:
            while offset < bytes.count, isStrange(bytes[offset]) { offset += 1 }
            offset = max(offset, start + 1)
            let text = String(text(from: start).prefix(40))
            return SchemaToken(kind: .unknown, text: text, location: location)
        }
    }

    private mutating func quotedName(at location: FileLocation) -> SchemaToken {
        let start = offset
        var end = offset + 1
        while end < bytes.count, bytes[end] != UInt8(ascii: "\""), bytes[end] != 0x0A { end += 1 }
        guard end < bytes.count, bytes[end] == UInt8(ascii: "\"") else {
            offset = end
            let text = String(text(from: start).prefix(40))
            return SchemaToken(kind: .unknown, text: text, location: location)
        }
        offset = end + 1
        let name = String(decoding: bytes[(start + 1)..<end], as: UTF8.self)
        return SchemaToken(kind: .quoted, text: name, location: location)
    }

    private mutating func skipBlanksAndComments() {
        while offset < bytes.count {
            if starts(with: "//") || starts(with: "--") {
                while offset < bytes.count, bytes[offset] != 0x0A { offset += 1 }
            } else if starts(with: "/*") {
                offset += 2
                while offset < bytes.count, !starts(with: "*/") { step() }
                offset = min(offset + 2, bytes.count)
            } else if [0x20, 0x09, 0x0A, 0x0D].contains(bytes[offset]) {
                step()
            } else {
                return
            }
        }
    }

    private mutating func step() {
        offset += 1
        guard bytes[offset - 1] == 0x0A else { return }
        line += 1
        lineStart = offset
    }

    private func starts(with text: String) -> Bool { bytes[offset...].starts(with: text.utf8) }

    private func isStrange(_ byte: UInt8) -> Bool {
        !isNameByte(byte) && byte > 0x20 && !"(),;<>\"".utf8.contains(byte)
    }

    private func text(from start: Int) -> String {
        String(decoding: bytes[start..<offset], as: UTF8.self)
    }
}

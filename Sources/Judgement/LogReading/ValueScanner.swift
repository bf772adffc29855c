import Essentials

/// Printed bytes in a log, with the text before them.
struct ScannedValue {
    var line: Int
    var name: String?
    var bytes: HashFragment
    /// The number of dictionaries of hashes that began before it.
    var epoch: Int
    var isInStoreHashes: Bool
}

struct ValueScanner {
    /// The number of values after which the rest of a text is ignored.
    static let limit = 100_000

    private let bytes: [UInt8]
    private var line = 1
    private var found: [ScannedValue] = []
    private var epoch = 0
    private var isInStoreHashes = false

    init(_ text: String) { bytes = Array(text.utf8) }

    mutating func values() -> [ScannedValue] {
        var offset = 0
        while offset < bytes.count, found.count < Self.limit {
            let next = value(at: offset)
            if let next {
                found.append(
                    ScannedValue(
                        line: line,
                        name: name(before: offset),
                        bytes: next.bytes,
                        epoch: epoch,
                        isInStoreHashes: isInStoreHashes
                    )
                )
            }
            let end = next?.end ?? wordEnd(offset)
            if next == nil { noteKey(offset..<end) }
            for index in offset..<end where bytes[index] == 0x0A { line += 1 }
            offset = end
        }
        return found
    }

    /// A dictionary of hashes begins after its key, and ends before the next key of metadata.
    private mutating func noteKey(_ range: Range<Int>) {
        let word = bytes[range]
        if word.elementsEqual("NSStoreModelVersionHashes".utf8) {
            epoch += 1
            isInStoreHashes = true
        } else if word.elementsEqual("NSStoreModelVersionHashesVersion".utf8)
            || word.elementsEqual("NSStoreModelVersionIdentifiers".utf8)
            || word.elementsEqual("entityVersionHashesByName".utf8)
        {
            epoch += 1
            isInStoreHashes = false
        }
    }

    private func value(at offset: Int) -> (bytes: HashFragment, end: Int)? {
        switch bytes[offset] {
        case UInt8(ascii: "<"):
            starts("<data>", offset)
                ? propertyListData(offset) : coreFoundationData(offset) ?? angled(offset)
        case UInt8(ascii: "{"): described(offset)
        case let byte where isBase64(byte): word(offset)
        default: nil
        }
    }

    /// `<613c28fa 1b2c3d4e …>`.
    private func angled(_ offset: Int) -> (bytes: HashFragment, end: Int)? {
        guard let (fragment, end) = groups(offset + 1), end < bytes.count,
            bytes[end] == UInt8(ascii: ">"), fragment.start.count >= 4
        else { return nil }
        return (fragment, end + 1)
    }

    /// `<CFData 0x1f5a5090 [0x3b5f5ae0]>{length = 32, capacity = 32, bytes = 0x613c28fa … 8bf83436}`, from old systems.
    private func coreFoundationData(_ offset: Int) -> (bytes: HashFragment, end: Int)? {
        guard starts("<CFData 0x", offset),
            let end = bytes[offset...].prefix(64).firstIndex(of: UInt8(ascii: ">"))
        else { return nil }
        return end + 1 < bytes.count ? described(end + 1) : nil
    }

    /// `{length = 32, bytes = 0x613c28fa … 8bf83436 }`.
    private func described(_ offset: Int) -> (bytes: HashFragment, end: Int)? {
        guard starts("{length = ", offset) else { return nil }
        var place = offset + 10
        let length = number(at: &place)
        if starts(", capacity = ", place) {
            place += 13
            _ = number(at: &place)
        }
        guard starts(", bytes = 0x", place), let (fragment, end) = groups(place + 12) else {
            return nil
        }
        place = end
        while place < bytes.count, bytes[place] == 0x20 { place += 1 }
        guard place < bytes.count, bytes[place] == UInt8(ascii: "}") else { return nil }
        let count = fragment.start.count + (fragment.end?.count ?? 0)
        guard length == 32 || length == 64, fragment.isWhole ? count == length : count <= length
        else { return nil }
        return (fragment, place + 1)
    }

    private func number(at place: inout Int) -> Int {
        var number = 0
        while place < bytes.count, (0x30...0x39).contains(bytes[place]), number < 100_000 {
            number = number * 10 + Int(bytes[place] - 0x30)
            place += 1
        }
        return number
    }

    /// Groups of hexadecimal digits separated by spaces; dots replace omitted ones.
    private func groups(_ offset: Int) -> (HashFragment, Int)? {
        var (start, end): ([UInt8], [UInt8]?) = ([], nil)
        var place = offset
        while place < bytes.count {
            if bytes[place] == 0x20 || bytes[place] == 0x0A || bytes[place] == 0x0D {
                place += 1
            } else if starts("…", place) || starts("...", place) {
                guard end == nil else { return nil }
                end = []
                place += 3
            } else if let high = digit(place), let low = digit(place + 1) {
                if end == nil {
                    start.append(high << 4 | low)
                } else {
                    end?.append(high << 4 | low)
                }
                guard start.count + (end?.count ?? 0) <= 64 else { return nil }
                place += 2
            } else {
                break
            }
        }
        while place > offset, [0x20, 0x0A, 0x0D].contains(bytes[place - 1]) { place -= 1 }
        return start.isEmpty ? nil : (HashFragment(start: start, end: end), place)
    }

    private func propertyListData(_ offset: Int) -> (bytes: HashFragment, end: Int)? {
        var place = offset + 6
        var text: [UInt8] = []
        while place < bytes.count, bytes[place] != UInt8(ascii: "<"), text.count <= 88 {
            if bytes[place] > 0x20 { text.append(bytes[place]) }
            place += 1
        }
        guard starts("</data>", place), let data = Data(base64Encoded: Data(text)),
            data.count == 32 || data.count == 64
        else { return nil }
        return (HashFragment(start: Array(data)), place + 7)
    }

    /// Hexadecimal digits, base64, or a number of bytes.
    private func word(_ offset: Int) -> (bytes: HashFragment, end: Int)? {
        guard offset == 0 || !isBase64(bytes[offset - 1]) || bytes[offset - 1] == UInt8(ascii: "/")
        else { return nil }
        if starts("32 bytes", offset) { return (.hidden, offset + 8) }
        if starts("0x", offset), let hex = hexadecimal(offset + 2) { return hex }
        return hexadecimal(offset) ?? base64(offset)
    }

    private func hexadecimal(_ offset: Int) -> (bytes: HashFragment, end: Int)? {
        var place = offset
        while digit(place) != nil, place - offset <= 128 { place += 1 }
        guard place - offset == 64 || place - offset == 128,
            place == bytes.count || !isBase64(bytes[place])
        else { return nil }
        let values = stride(from: offset, to: place, by: 2).map { index in
            (digit(index) ?? 0) << 4 | (digit(index + 1) ?? 0)
        }
        return (HashFragment(start: values), place)
    }

    private func base64(_ offset: Int) -> (bytes: HashFragment, end: Int)? {
        var (place, text): (Int, [UInt8]) = (offset, [])
        while place < bytes.count, text.count <= 88 {
            // JSON may escape the slash.
            if bytes[place] == UInt8(ascii: "\\"), starts("\\/", place) { place += 1 }
            guard isBase64(bytes[place]) else { break }
            text.append(bytes[place])
            place += 1
        }
        let padding = text.count == 43 ? 1 : 2
        guard text.count == 43 || text.count == 86,
            starts(padding == 1 ? "=" : "==", place),
            let data = Data(base64Encoded: Data(text) + Data(repeating: 0x3D, count: padding))
        else { return nil }
        return (HashFragment(start: Array(data)), place + padding)
    }

    /// Returns the name before a value: the last word before it.
    private func name(before offset: Int) -> String? {
        var end = offset
        for _ in 0..<64 where end > 0 {
            if ends("<data>", end) {
                end -= 6
            } else if ends("</key>", end) {
                end -= 6
            } else if " \t\r\n\"'=:>-()[|".utf8.contains(bytes[end - 1]) {
                end -= 1
            } else {
                break
            }
        }
        // With nothing between them, the word is part of another one.
        guard end < offset else { return nil }
        var start = end
        while start > 0, end - start < 256, isWordByte(bytes[start - 1]) { start -= 1 }
        return start == end ? nil : String(decoding: bytes[start..<end], as: UTF8.self)
    }

    private func wordEnd(_ offset: Int) -> Int {
        var end = offset
        while end < bytes.count, isWordByte(bytes[end]) { end += 1 }
        return max(end, offset + 1)
    }

    private func digit(_ offset: Int) -> UInt8? {
        guard offset < bytes.count else { return nil }
        switch bytes[offset] {
        case 0x30...0x39: return bytes[offset] - 0x30
        case 0x41...0x46: return bytes[offset] - 0x41 + 10
        case 0x61...0x66: return bytes[offset] - 0x61 + 10
        default: return nil
        }
    }

    private func starts(_ text: String, _ offset: Int) -> Bool {
        offset <= bytes.count && bytes[offset...].starts(with: text.utf8)
    }

    private func ends(_ text: String, _ offset: Int) -> Bool {
        offset >= text.utf8.count && starts(text, offset - text.utf8.count)
    }
}

private func isBase64(_ byte: UInt8) -> Bool {
    isWordByte(byte) && byte < 0x80 && byte != UInt8(ascii: "_") || byte == UInt8(ascii: "+")
        || byte == UInt8(ascii: "/")
}

/// Whether a byte may be part of a name: a letter of any script, a digit, `_`.
private func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x80...0xFF: true
    default: false
    }
}

/// A line of a text with the known phrases in it.
struct ScannedLine {
    var range: Range<Int>
    /// Counted from 1.
    var number: Int
    var phrases: Set<String>
}

/// Finds the relevant lines of a text, in one pass over its bytes.
///
/// A log has millions of lines, and few relevant ones: each of some hundred phrases must not be searched in each line.
struct LineScan {
    /// The number of such lines after which the rest of a text is ignored.
    static let limit = 100_000

    private let phrases: [UInt32: [(text: String, bytes: [UInt8])]]
    /// Whether a number, truncated to sixteen bits, may be one of those.
    private let mayBegin: [Bool]

    init(_ texts: Set<String>) {
        let all = texts.map { (text: $0, bytes: Array($0.utf8)) }.filter { $0.bytes.count >= 4 }
        phrases = Dictionary(grouping: all) { phrase in
            phrase.bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
        }
        var begins = [Bool](repeating: false, count: 1 << 16)
        for key in phrases.keys { begins[Self.short(key)] = true }
        mayBegin = begins
    }

    private static func short(_ key: UInt32) -> Int { Int((key &* 0x9E37_79B1) >> 16) }

    /// Returns the lines with a phrase or a possible error code, in their order.
    func lines(of text: [UInt8]) -> [ScannedLine] {
        text.withUnsafeBufferPointer { bytes in
            mayBegin.withUnsafeBufferPointer { lines(of: bytes, $0) }
        }
    }

    private func lines(
        of bytes: UnsafeBufferPointer<UInt8>,
        _ mayBegin: UnsafeBufferPointer<Bool>
    ) -> [ScannedLine] {
        var lines: [ScannedLine] = []
        var found: Set<String> = []
        var (start, number, key, index, hasCode, wasDigit) = (0, 1, UInt32(0), 0, false, false)
        let count = bytes.count
        while index <= count {
            let byte = index < count ? bytes[index] : 0x0A
            if byte == 0x0A {
                if hasCode || !found.isEmpty {
                    let line = ScannedLine(range: start..<index, number: number, phrases: found)
                    lines.append(line)
                    guard lines.count < Self.limit else { return lines }
                    found = []
                }
                (start, number, key, hasCode, wasDigit) = (index + 1, number + 1, 0, false, false)
            } else {
                key = key << 8 | UInt32(byte)
                if mayBegin[Self.short(key)], let known = phrases[key] {
                    for phrase in known where has(phrase.bytes, bytes, at: index - 3) {
                        found.insert(phrase.text)
                    }
                }
                let isDigit = byte &- 0x30 <= 9
                if isDigit, !wasDigit, !hasCode {
                    hasCode = mayBeCode(bytes, at: index, since: start)
                }
                wasDigit = isDigit
            }
            index += 1
        }
        return lines
    }

    private func has(_ phrase: [UInt8], _ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool
    {
        guard start >= 0, start + phrase.count <= bytes.count else { return false }
        return phrase.indices.allSatisfy { bytes[start + $0] == phrase[$0] }
    }

    /// Whether a number follows the end of a word for an error, or is alone in its line.
    private func mayBeCode(
        _ bytes: UnsafeBufferPointer<UInt8>,
        at index: Int,
        since start: Int
    ) -> Bool {
        var end = index
        while end > start, index - end < 30, Self.marks.contains(bytes[end - 1]) { end -= 1 }
        guard end > start else { return isAlone(bytes, at: index) }
        // A character of another script may be a quote, or end the word in Chinese or Japanese.
        guard bytes[end - 1] < 0x80 else { return true }
        guard end - start >= 4 else { return false }
        let word = (end - 4..<end).reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[$1] | 0x20) }
        return Self.words.contains(word)
    }

    private func isAlone(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        var end = index
        while end < bytes.count, bytes[end] &- 0x30 <= 9 { end += 1 }
        while end < bytes.count, bytes[end] <= 0x20, bytes[end] != 0x0A { end += 1 }
        return end == bytes.count || bytes[end] == 0x0A
    }

    private static let marks = Array(" =:(#\"'`\t\r".utf8)
    /// The last four bytes of words before the code of an error.
    private static let words = errorWords.map { word in
        word.utf8.suffix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
}

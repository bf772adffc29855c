extension Array where Element == UInt8 {
    /// Returns the first range of some bytes, by the C library's search, which is as fast as reading a file.
    package func firstRange(of word: [UInt8]) -> Range<Int>? { self[...].firstRange(of: word) }
}

extension ArraySlice where Element == UInt8 {
    package func firstRange(of word: [UInt8]) -> Range<Int>? {
        guard !word.isEmpty else { return startIndex..<startIndex }
        let anchor = word.anchor
        return withUnsafeBytes { bytes -> Range<Int>? in
            guard let start = bytes.baseAddress else { return nil }
            var place = start + anchor
            let end = start + bytes.count - word.count + anchor + 1
            while place < end, let found = memchr(place, Int32(word[anchor]), end - place) {
                let begin = UnsafeRawPointer(found) - anchor
                if memcmp(begin, word, word.count) == 0 {
                    let found = startIndex + (begin - start)
                    return found..<found + word.count
                }
                place = UnsafeRawPointer(found) + 1
            }
            return nil
        }
    }
}

/// Lines as numbers, equal ones as the same, which are compared much faster.
package func numbered(_ lists: [ArraySlice<UInt8>]...) -> [[Int]] {
    var numbers: [ArraySlice<UInt8>: Int] = [:]
    return lists.map { lines in
        lines.map { line in
            if let known = numbers[line] { return known }
            defer { numbers[line] = numbers.count }
            return numbers.count
        }
    }
}

extension [UInt8] {
    /// The place of the byte that is least frequent in sources, by which a search stops least.
    fileprivate var anchor: Int {
        indices.min { Self.ranks[Int(self[$0])] < Self.ranks[Int(self[$1])] } ?? 0
    }

    /// The places of all bytes in ``rareBytes``, by which each search begins.
    private static let ranks = (0...UInt8.max).map {
        rareBytes.firstIndex(of: $0) ?? rareBytes.count
    }
    private static let rareBytes = Array("@QZXJKWYHGVBMFOUDNLRPACIETS".utf8)
}

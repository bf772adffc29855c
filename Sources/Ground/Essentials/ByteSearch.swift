extension Array where Element == UInt8 {
    /// Returns the first range of some bytes, by the C library's search, which is as fast as reading a file.
    package func firstRange(of word: [UInt8]) -> Range<Int>? { self[...].firstRange(of: word) }
}

extension ArraySlice where Element == UInt8 {
    package func firstRange(of word: [UInt8]) -> Range<Int>? {
        guard let first = word.first else { return startIndex..<startIndex }
        return withUnsafeBytes { bytes -> Range<Int>? in
            guard var place = bytes.baseAddress else { return nil }
            let start = place
            let end = place + bytes.count
            while end - place >= word.count,
                let found = memchr(place, Int32(first), end - place - word.count + 1)
            {
                place = UnsafeRawPointer(found)
                if memcmp(place, word, word.count) == 0 {
                    let found = startIndex + (place - start)
                    return found..<found + word.count
                }
                place += 1
            }
            return nil
        }
    }
}

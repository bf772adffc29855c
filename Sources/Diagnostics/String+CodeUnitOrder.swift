extension String {
    /// Says whether this string comes before another by its UTF-16 code units, the order of Apple's formats.
    ///
    /// That is the order of UTF-8 bytes, but that UTF-16 has what needs four bytes there before U+E000.
    package func precedesByCodeUnits(_ other: String) -> Bool {
        // Not `withUTF8`, which needs a copy of each to work on: sorting asks this all the time.
        let answer = utf8.withContiguousStorageIfAvailable { left in
            other.utf8.withContiguousStorageIfAvailable { right in precedes(left, right) }
        }
        return (answer ?? nil) ?? precedes(Array(utf8), Array(other.utf8))
    }
}

private func precedes(
    _ left: some RandomAccessCollection<UInt8>,
    _ right: some RandomAccessCollection<UInt8>
) -> Bool {
    for (one, two) in zip(left, right) where one != two {
        if one >= 0xF0, two == 0xEE || two == 0xEF { return true }
        if two >= 0xF0, one == 0xEE || one == 0xEF { return false }
        return one < two
    }
    return left.count < right.count
}

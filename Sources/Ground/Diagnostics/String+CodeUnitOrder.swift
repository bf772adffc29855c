extension String {
    /// Whether this string comes before another by its UTF-16 code units, the order of Apple's formats.
    ///
    /// It is the order of UTF-8 bytes, except that characters of four bytes come before U+E000.
    package func precedesByCodeUnits(_ other: String) -> Bool {
        // Not `withUTF8`, which copies each string: sorting calls this all the time.
        let answer = utf8.withContiguousStorageIfAvailable { left in
            other.utf8.withContiguousStorageIfAvailable { right in precedes(left, right) }
        }
        return (answer ?? nil)
            ?? Array(utf8).withUnsafeBufferPointer { left in
                Array(other.utf8).withUnsafeBufferPointer { right in precedes(left, right) }
            }
    }
}

private func precedes(
    _ left: UnsafeBufferPointer<UInt8>,
    _ right: UnsafeBufferPointer<UInt8>
) -> Bool {
    let count = min(left.count, right.count)
    var place = 0
    while place < count, left[place] == right[place] { place += 1 }
    guard place < count else { return left.count < right.count }
    let (one, two) = (left[place], right[place])
    if one >= 0xF0, two == 0xEE || two == 0xEF { return true }
    if two >= 0xF0, one == 0xEE || one == 0xEF { return false }
    return one < two
}

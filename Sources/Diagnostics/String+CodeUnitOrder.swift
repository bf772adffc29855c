extension String {
    /// Says whether this string comes before another by its UTF-16 code units, the order of Apple's formats.
    ///
    /// That is the order of UTF-8 bytes, but that UTF-16 has what needs four bytes there before U+E000.
    package func precedesByCodeUnits(_ other: String) -> Bool {
        var (left, right) = (self, other)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                for index in 0..<min(left.count, right.count) where left[index] != right[index] {
                    let (one, two) = (left[index], right[index])
                    if one >= 0xF0, two == 0xEE || two == 0xEF { return true }
                    if two >= 0xF0, one == 0xEE || one == 0xEF { return false }
                    return one < two
                }
                return left.count < right.count
            }
        }
    }
}

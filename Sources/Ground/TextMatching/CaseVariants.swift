/// Texts that are equal except for case, where one letter folds to several: `ß` is `ss`, `ﬁ` is `fi`.
///
/// PCRE2 knows only one-to-one cases.
enum CaseVariants {
    /// The letters that fold to several, by these.
    private static let letters: [[Unicode.Scalar]: String] = {
        let ranges: [ClosedRange<UInt32>] = [
            0xDF...0xDF, 0x130...0x1F0, 0x390...0x3B0, 0x587...0x587, 0x1E96...0x1E9E,
            0x1F50...0x1FFC, 0xFB00...0xFB17,
        ]
        var letters: [[Unicode.Scalar]: String] = [:]
        for scalar in ranges.joined().compactMap(Unicode.Scalar.init) {
            let folded = fold(scalar)
            if folded.count > 1 { letters[folded, default: ""] += "|" + scalar.hexadecimal }
        }
        return letters
    }()

    private static func fold(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        Array(String(scalar).folded(.cases).unicodeScalars)
    }

    /// An expression that finds a text regardless of case.
    static func expression(of text: [Unicode.Scalar]) -> String {
        let folded = text.flatMap(fold)
        var (result, place) = ("", 0)
        while place < folded.count {
            // Letters that fold to several extend the range.
            var (end, reach) = (place, place + 1)
            while end < reach {
                for count in 2...3 where end + count <= folded.count {
                    if letters[Array(folded[end..<(end + count)])] != nil {
                        reach = max(reach, end + count)
                    }
                }
                end += 1
            }
            result += variants(of: folded[place..<reach])
            place = reach
        }
        return result
    }

    private static func variants(of text: ArraySlice<Unicode.Scalar>) -> String {
        guard let first = text.first else { return "" }
        var all = [first.hexadecimal + variants(of: text.dropFirst())]
        for count in 2...3 where text.count >= count {
            guard let letters = letters[Array(text.prefix(count))] else { continue }
            all.append("(?:\(letters.dropFirst()))" + variants(of: text.dropFirst(count)))
        }
        return all.count == 1 ? all[0] : "(?:" + all.joined(separator: "|") + ")"
    }
}

/// The characters without ink that real names need: they shape the preceding character, or join or separate two.
///
/// Anywhere else they make one name look like another.
extension String.UnicodeScalarView {
    /// Whether a scalar has no ink and shapes the adjacent character.
    func shapesSign(at index: Index) -> Bool {
        let kind = self[index].shaping
        guard let kind, index > startIndex else { return false }
        let before = self[self.index(before: index)]
        let next = self.index(after: index)
        let after = next < endIndex ? self[next] : nil
        switch kind {
        case .variant: return before.properties.isIdeographic
        case .emojiVariant:
            // Digits are emoji within a keycap sequence.
            return before.properties.isEmoji && (!before.isASCII || after?.value == 0x20E3)
                || before.properties.isIdeographic
        case .joiner:
            if before.isJoinedLetter {
                // At the end of a word it shapes a letter without its vowel.
                return after?.isJoinedLetter == true || before.isVirama
            }
            let joinsEmoji = before.value == 0xFE0F || before.isPicture
            return self[index].value == 0x200D && joinsEmoji && after?.isPicture == true
        }
    }
}

private enum Shaping {
    case variant
    case emojiVariant
    case joiner
}

extension Unicode.Scalar {
    /// Whether it has no ink, and may shape an adjacent character.
    package var mayShapeSigns: Bool { shaping != nil }

    fileprivate var shaping: Shaping? {
        switch value {
        case 0x200C, 0x200D: .joiner
        case 0xFE0E, 0xFE0F: .emojiVariant
        case 0xFE00...0xFE0D, 0xE0100...0xE01EF: .variant
        default: nil
        }
    }

    fileprivate var isPicture: Bool {
        !isASCII && (properties.isEmoji || properties.isEmojiModifier)
    }

    /// Whether its script has letters that change with their neighbours: Arabic and its relatives, the scripts of India and
    /// South East Asia, and Mongolian.
    fileprivate var isJoinedLetter: Bool {
        switch value {
        case 0x0600..<0x10A0, 0x1780..<0x18B0, 0xFB50..<0xFE00, 0xFE70..<0xFEFF:
            properties.isAlphabetic || properties.canonicalCombiningClass != .notReordered
        default: false
        }
    }

    fileprivate var isVirama: Bool { properties.canonicalCombiningClass == .virama }
}

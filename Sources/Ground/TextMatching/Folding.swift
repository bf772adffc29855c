/// What a comparison of texts ignores.
package struct Folding: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Upper and lower case, as with `[c]`.
    package static let cases = Self(rawValue: 1)
    /// Marks on letters, as with `[d]`.
    package static let marks = Self(rawValue: 2)
}

extension String {
    /// Returns the text as it is compared when case or marks are ignored.
    ///
    /// The same as Foundation's `folding(options:locale:)` without a locale; its rules were found by comparison: letters
    /// before Armenian in Unicode lose all their marks, others only those of Latin, Greek and Cyrillic.
    package func folded(_ options: Folding) -> String {
        if utf8.allSatisfy({ $0 < 0x80 }) { return options.contains(.cases) ? lowercased() : self }
        var result = String.UnicodeScalarView()
        let scalars = Array(unicodeScalars)
        var place = 0
        while place < scalars.count {
            let scalar = scalars[place]
            place += 1
            let base = options.contains(.marks) ? scalar.withoutMarks : scalar
            let folded = options.contains(.cases) ? base.caseFolded : String(base)
            guard options.contains(.marks) else {
                result.append(contentsOf: folded.unicodeScalars)
                continue
            }
            let first = folded.unicodeScalars.first ?? base
            let marks = scalars[place...].prefix(while: \.isMark)
            place += marks.count
            if first.isPlainBase {
                result.append(contentsOf: folded.unicodeScalars)
            } else {
                // The first mark is dropped if it is Latin, unless its letter changed its case.
                let isDropped = first == base && marks.first?.isPlainBase == true
                let kept = Array(marks.dropFirst(isDropped ? 1 : 0).flatMap(\.takenApart))
                let letters = Array(folded.unicodeScalars)
                result.append(
                    contentsOf: scalar.isMark ? (letters + kept).byClass : letters + kept.byClass
                )
            }
        }
        return String(result)
    }
}

extension [Unicode.Scalar] {
    /// The marks in the order of where they are drawn.
    fileprivate var byClass: Self {
        guard count > 1 else { return self }
        return enumerated().sorted { left, right in
            let classes = [left, right].map { $0.element.properties.canonicalCombiningClass }
            return classes[0] == classes[1] ? left.offset < right.offset : classes[0] < classes[1]
        }.map(\.element)
    }
}

extension Unicode.Scalar {
    /// The end of Latin, Greek and Cyrillic, and of their marks.
    fileprivate static let plainEnd: UInt32 = 0x510

    fileprivate var isPlainBase: Bool { value < Self.plainEnd }

    fileprivate var caseFolded: String {
        switch value {
        // The dotless i, and Cyrillic letters of old books, have a capital that is another letter's.
        case 0x131, 0x1C80...0x1C88: String(self)
        case 0x1E9E: "ss"
        default: properties.uppercaseMapping.unicodeScalars.lazy.map(\.lowercase).joined()
        }
    }

    private var lowercase: String { properties.lowercaseMapping }

    /// Whether it is drawn onto the preceding character, not beside it.
    fileprivate var isMark: Bool {
        switch value {
        case ..<0x300: false
        // Skin tones, and one vowel.
        case 0x1F3FB...0x1F3FF, 0x1171E: true
        default: properties.isGraphemeExtend && !BaseLetters.besides.contains(value)
        }
    }

    /// The letter without its marks; itself when it has none.
    fileprivate var withoutMarks: Unicode.Scalar {
        value < 0xC0 ? self : BaseLetters.all[self] ?? self
    }

    fileprivate var takenApart: [Unicode.Scalar] { BaseLetters.parts[self] ?? [self] }
}

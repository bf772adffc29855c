/// The order in which Xcode writes entities, properties and entries of user info: by name without case, digits by their
/// value, other signs before digits and letters.
///
/// The evidence is in SourceFormat, "Order of elements". Text outside ASCII is ordered by its lowercase letters, which
/// is a guess: ``sorted(_:by:)`` leaves such names where they are.
package struct SourceNameOrder: Comparable {
    private enum Part: Comparable {
        case sign(UInt32)
        case number(length: Int, digits: String)
        case letter(String)
    }

    private let parts: [Part]

    package init(_ name: String) {
        var parts: [Part] = []
        var rest = name.unicodeScalars[...]
        func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
        while let scalar = rest.first {
            if isDigit(scalar) {
                let digits = rest.prefix(while: isDigit).drop { $0 == "0" }
                rest = rest.drop(while: isDigit)
                parts.append(.number(length: digits.count, digits: String(digits)))
                continue
            }
            rest = rest.dropFirst()
            let isLetter = scalar.properties.isAlphabetic
            parts.append(
                isLetter ? .letter(scalar.properties.lowercaseMapping) : .sign(scalar.value)
            )
        }
        self.parts = parts
    }

    package static func < (left: Self, right: Self) -> Bool {
        left.precedes(right, signsAreLast: false)
    }

    private func precedes(_ other: Self, signsAreLast: Bool) -> Bool {
        for (one, two) in zip(parts, other.parts) where one != two {
            switch (one, two) {
            case (.sign, .number), (.number, .sign): return (one < two) != signsAreLast
            default: return one < two
            }
        }
        return parts.count < other.parts.count
    }

    /// Returns items in the order of their names; items with an unknown order stay where they are.
    package static func sorted<Item>(_ items: [Item], by name: (Item) -> String) -> [Item] {
        let names = items.map(name)
        guard names.allSatisfy({ $0.utf8.allSatisfy(isKnown) }) else { return items }
        let keys = names.map { Self($0) }
        // Whether digits come before an underscore is not on record.
        for signsAreLast in [false, true] {
            let isSorted = zip(keys, keys.dropFirst()).allSatisfy { left, right in
                !right.precedes(left, signsAreLast: signsAreLast)
            }
            if isSorted { return items }
        }
        return zip(keys, items).enumerated().sorted { left, right in
            left.element.0 == right.element.0
                ? left.offset < right.offset : left.element.0 < right.element.0
        }.map(\.element.1)
    }

    private static func isKnown(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

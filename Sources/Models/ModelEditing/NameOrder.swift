/// The order in which Xcode has names: without case, digits by their value, other signs before digits and letters.
struct NameOrder: Comparable {
    private enum Part: Comparable {
        case sign(UInt32)
        case number(length: Int, digits: String)
        case letter(String)
    }

    private let parts: [Part]

    init(_ name: String) {
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

    static func < (left: Self, right: Self) -> Bool {
        for (one, two) in zip(left.parts, right.parts) where one != two { return one < two }
        return left.parts.count < right.parts.count
    }
}

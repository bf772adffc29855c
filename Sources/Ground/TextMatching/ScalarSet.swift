/// A set of Unicode's scalars, as expressions write them.
indirect enum ScalarSet: Sendable {
    case range(ClosedRange<UInt32>)
    case property(@Sendable (Unicode.Scalar) -> Bool)
    case union([ScalarSet])
    case intersection(ScalarSet, ScalarSet)
    case inverted(ScalarSet)
    /// Holds what the set holds in any case.
    case anyCase(ScalarSet)

    static let all = Self.range(0...0x10FFFF)
    static let digits = Self.property { $0.properties.generalCategory == .decimalNumber }
    static let spaces = Self.property(\.properties.isWhitespace)
    static let blanks = Self.property {
        $0 == "\t" || $0.properties.generalCategory == .spaceSeparator
    }
    static let words = Self.property(\.isWord)

    static func lineEnds(isUnix: Bool) -> Self {
        .property { $0.endsLine(isUnix: isUnix) }
    }

    func caseFolding(_ isNeeded: Bool) -> Self {
        isNeeded ? .anyCase(self) : self
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        switch self {
        case .range(let range): range.contains(scalar.value)
        case .property(let holds): holds(scalar)
        case .union(let sets): sets.contains { $0.contains(scalar) }
        case .intersection(let first, let second):
            first.contains(scalar) && second.contains(scalar)
        case .inverted(let set): !set.contains(scalar)
        case .anyCase(let set): scalar.cases.contains(where: set.contains)
        }
    }
}

extension Unicode.Scalar {
    func endsLine(isUnix: Bool) -> Bool {
        switch value {
        case 0x0A: true
        case 0x0B...0x0D, 0x85, 0x2028, 0x2029: !isUnix
        default: false
        }
    }

    var isWord: Bool {
        if value < 0x80 {
            return (0x61...0x7A).contains(value | 0x20) || digit != nil || value == 0x5F
        }
        switch properties.generalCategory {
        case .decimalNumber, .connectorPunctuation, .nonspacingMark, .spacingMark, .enclosingMark:
            return true
        default: return properties.isAlphabetic || value == 0x200C || value == 0x200D
        }
    }

    /// The scalar that stands for it in either case.
    var foldedCase: Unicode.Scalar {
        if value < 0x80 {
            return (0x41...0x5A).contains(value) ? Unicode.Scalar(UInt8(value | 0x20)) : self
        }
        let folded = String(self).folded(.cases).unicodeScalars
        if folded.count == 1 { return folded.first ?? self }
        let lower = properties.lowercaseMapping.unicodeScalars
        return lower.count == 1 ? lower.first ?? self : self
    }

    /// The scalars that stand for it in either case.
    var fullFold: [Unicode.Scalar] {
        value < 0x80 ? [foldedCase] : Array(String(self).folded(.cases).unicodeScalars)
    }

    /// The scalar in all its cases.
    fileprivate var cases: [Unicode.Scalar] {
        let folded = foldedCase
        var cases = [self, folded]
        for text in [folded.properties.uppercaseMapping, folded.properties.titlecaseMapping] {
            let scalars = text.unicodeScalars
            if scalars.count == 1, let scalar = scalars.first { cases.append(scalar) }
        }
        // Signs and old letters that are others' cases.
        switch folded {
        case "k": cases.append("\u{212A}")
        case "s": cases.append("\u{17F}")
        case "\u{E5}": cases.append("\u{212B}")
        case "\u{3C9}": cases.append("\u{2126}")
        case "\u{3C3}": cases.append("\u{3C2}")
        case "\u{3BC}": cases.append("\u{B5}")
        case "\u{DF}": cases.append("\u{1E9E}")
        default: break
        }
        return cases
    }
}

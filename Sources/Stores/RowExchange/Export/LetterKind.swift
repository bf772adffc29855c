/// A kind of letters that stand for one another where values are replaced: all of a kind have as many bytes in UTF-8.
enum LetterKind: Hashable {
    case lowercase, uppercase, digit
    /// A digit that is not 0.
    case nonZero
    /// Accented letters of Western Europe.
    case accentedLowercase, accentedUppercase
    /// Other letters, of two, three and four bytes.
    case greek, ideograph, rareIdeograph
    /// Symbols, of three and four bytes.
    case symbol, emoji

    /// The kind of a character; `nil` for one that stays: spaces, ASCII punctuation, and what belongs to the character
    /// before it.
    init?(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x61...0x7A: self = .lowercase
        case 0x41...0x5A: self = .uppercase
        case 0x30...0x39: self = .digit
        case 0...0x7F: return nil
        default:
            guard let kind = Self.kind(beyondASCII: scalar) else { return nil }
            self = kind
        }
    }

    private static func kind(beyondASCII scalar: Unicode.Scalar) -> LetterKind? {
        if accentedLower.contains(scalar.value) { return .accentedLowercase }
        if accentedUpper.contains(scalar.value) { return .accentedUppercase }
        let length = scalar.value < 0x800 ? 2 : scalar.value < 0x10000 ? 3 : 4
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .decimalNumber, .letterNumber, .otherNumber:
            return length == 2 ? .greek : length == 3 ? .ideograph : .rareIdeograph
        case .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol, .connectorPunctuation,
            .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
            .finalPunctuation, .otherPunctuation, .privateUse:
            // A skin tone belongs to the emoji before it.
            if scalar.properties.isEmojiModifier { return nil }
            return length == 2 ? nil : length == 3 ? .symbol : .emoji
        default: return nil
        }
    }

    private static let accentedLower = Array(UInt32(0xE0)...0xF6) + Array(0xF8...0xFF)
    private static let accentedUpper = Array(UInt32(0xC0)...0xD6) + Array(0xD8...0xDE)
    /// Small letters of Greek, without the final sigma, which is one of them at the end of a word alone.
    private static let greekLetters = Array(UInt32(0x3B1)...0x3C1) + Array(0x3C3...0x3C9)

    /// The number of letters of the kind.
    var count: Int {
        switch self {
        case .lowercase, .uppercase: 26
        case .digit: 10
        case .nonZero: 9
        case .accentedLowercase: Self.accentedLower.count
        case .accentedUppercase: Self.accentedUpper.count
        case .greek: Self.greekLetters.count
        case .ideograph: 0x5000
        case .rareIdeograph: 0xA000
        case .symbol: 0x100
        case .emoji: 0x50
        }
    }

    /// The letter at an index among those of the kind.
    func letter(_ place: Int) -> Unicode.Scalar {
        let value: UInt32 =
            switch self {
            case .lowercase: 0x61 + UInt32(place)
            case .uppercase: 0x41 + UInt32(place)
            case .digit: 0x30 + UInt32(place)
            case .nonZero: 0x31 + UInt32(place)
            case .accentedLowercase: Self.accentedLower[place]
            case .accentedUppercase: Self.accentedUpper[place]
            case .greek: Self.greekLetters[place]
            case .ideograph: 0x4E00 + UInt32(place)
            case .rareIdeograph: 0x20000 + UInt32(place)
            case .symbol: 0x2600 + UInt32(place)
            case .emoji: 0x1F600 + UInt32(place)
            }
        return Unicode.Scalar(value) ?? "?"
    }

    /// The index of a letter of the kind; of kinds with letters that never come out, the number of its character.
    func place(of scalar: Unicode.Scalar) -> Int {
        switch self {
        case .lowercase: Int(scalar.value) - 0x61
        case .uppercase: Int(scalar.value) - 0x41
        case .digit: Int(scalar.value) - 0x30
        case .nonZero: Int(scalar.value) - 0x31
        case .accentedLowercase: Self.accentedLower.firstIndex(of: scalar.value) ?? 0
        case .accentedUppercase: Self.accentedUpper.firstIndex(of: scalar.value) ?? 0
        case .greek, .ideograph, .rareIdeograph, .symbol, .emoji: Int(scalar.value)
        }
    }
}

/// The letters of a text, with those that are replaced.
struct Letters {
    /// What stands at each place of the text: what stays, or the number of the letter that is replaced.
    private var parts: [(kept: Unicode.Scalar, kind: LetterKind?)] = []
    /// The letters that are replaced.
    private(set) var digits: [(digit: Int, kind: LetterKind)] = []

    /// Adds a character; without a kind it stays.
    mutating func add(_ scalar: Unicode.Scalar, _ kind: LetterKind?) {
        parts.append((scalar, kind))
        if let kind { digits.append((kind.place(of: scalar), kind)) }
    }

    /// Adds a character that stays.
    mutating func keep(_ scalar: Unicode.Scalar) { parts.append((scalar, nil)) }

    /// The text with other letters.
    func text(_ replaced: [Int]) -> String {
        var scalars = String.UnicodeScalarView()
        var rest = replaced[...]
        for part in parts {
            guard let kind = part.kind, let place = rest.popFirst() else {
                scalars.append(part.kept)
                continue
            }
            scalars.append(kind.letter(place))
        }
        return String(scalars)
    }
}

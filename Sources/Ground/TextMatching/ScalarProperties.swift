extension ScalarSet {
    /// The set of a property by its name, such as `\p{Lu}`, `\p{Letter}`, `\p{Script=Greek}`, `[:alpha:]` have it.
    ///
    /// Case, blanks, dashes and underscores in names mean nothing.
    init?(property name: String) {
        let parts = name.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let words = parts.map { part in
            String(
                String.UnicodeScalarView(
                    part.unicodeScalars.filter { ![" ", "-", "_"].contains($0) }
                )
            )
            .lowercased()
        }
        if words.count == 2 {
            switch words[0] {
            case "gc", "generalcategory": self.init(category: words[1])
            case "sc", "script": self.init(script: words[1])
            default: return nil
            }
            return
        }
        guard let word = words.first else { return nil }
        guard let set = Self(category: word) ?? Self(binary: word) ?? Self(script: word) else {
            return nil
        }
        self = set
    }

    private init?(category name: String) {
        let categories = Self.categories.filter { category in
            category.short == name || category.long == name
                || name.count == 1 && category.short.hasPrefix(name)
                || Self.groups[name].map { category.short.hasPrefix($0) } == true
        }.map(\.category)
        if name == "lc" || name == "casedletter" {
            self = .property {
                [.uppercaseLetter, .lowercaseLetter, .titlecaseLetter].contains(
                    $0.properties.generalCategory
                )
            }
            return
        }
        guard !categories.isEmpty else { return nil }
        let only = categories.first
        self =
            categories.count == 1
            ? .property { $0.properties.generalCategory == only }
            : .property { categories.contains($0.properties.generalCategory) }
    }

    private static let groups = [
        "letter": "l", "mark": "m", "number": "n", "punctuation": "p", "punct": "p", "symbol": "s",
        "separator": "z", "other": "c", "combiningmark": "m",
    ]

    private static let categories:
        [(short: String, long: String, category: Unicode.GeneralCategory)] = [
            ("lu", "uppercaseletter", .uppercaseLetter),
            ("ll", "lowercaseletter", .lowercaseLetter),
            ("lt", "titlecaseletter", .titlecaseLetter),
            ("lm", "modifierletter", .modifierLetter), ("lo", "otherletter", .otherLetter),
            ("mn", "nonspacingmark", .nonspacingMark), ("mc", "spacingmark", .spacingMark),
            ("me", "enclosingmark", .enclosingMark), ("nd", "decimalnumber", .decimalNumber),
            ("nl", "letternumber", .letterNumber), ("no", "othernumber", .otherNumber),
            ("pc", "connectorpunctuation", .connectorPunctuation),
            ("pd", "dashpunctuation", .dashPunctuation),
            ("ps", "openpunctuation", .openPunctuation),
            ("pe", "closepunctuation", .closePunctuation),
            ("pi", "initialpunctuation", .initialPunctuation),
            ("pf", "finalpunctuation", .finalPunctuation),
            ("po", "otherpunctuation", .otherPunctuation), ("sm", "mathsymbol", .mathSymbol),
            ("sc", "currencysymbol", .currencySymbol), ("sk", "modifiersymbol", .modifierSymbol),
            ("so", "othersymbol", .otherSymbol), ("zs", "spaceseparator", .spaceSeparator),
            ("zl", "lineseparator", .lineSeparator),
            ("zp", "paragraphseparator", .paragraphSeparator), ("cc", "control", .control),
            ("cf", "format", .format), ("cs", "surrogate", .surrogate),
            ("co", "privateuse", .privateUse), ("cn", "unassigned", .unassigned),
        ]

    private init?(binary name: String) {
        switch name {
        case "any": self = .all
        case "ascii": self = .range(0...0x7F)
        case "assigned": self = .property { $0.properties.generalCategory != .unassigned }
        case "alpha", "alphabetic": self = .property(\.properties.isAlphabetic)
        case "lower", "lowercase": self = .property(\.properties.isLowercase)
        case "upper", "uppercase": self = .property(\.properties.isUppercase)
        case "space", "whitespace", "wspace": self = .property(\.properties.isWhitespace)
        case "digit": self = .digits
        case "alnum": self = .union([.property(\.properties.isAlphabetic), .digits])
        case "blank": self = .blanks
        case "cntrl": self = .property { $0.properties.generalCategory == .control }
        case "word": self = .words
        case "xdigit":
            self = .union([.digits, .property(\.properties.isHexDigit)])
        case "graph": self = .property(\.isGraphic)
        case "print":
            self = .property { $0.isGraphic || $0.properties.generalCategory == .spaceSeparator }
        case "hexdigit", "hex": self = .property(\.properties.isHexDigit)
        case "asciihexdigit", "ahex": self = .property(\.properties.isASCIIHexDigit)
        case "ideographic", "ideo": self = .property(\.properties.isIdeographic)
        case "emoji": self = .property(\.properties.isEmoji)
        case "emojipresentation": self = .property(\.properties.isEmojiPresentation)
        case "math": self = .property(\.properties.isMath)
        case "dash": self = .property(\.properties.isDash)
        case "diacritic", "dia": self = .property(\.properties.isDiacritic)
        case "idstart", "ids": self = .property(\.properties.isIDStart)
        case "idcontinue", "idc": self = .property(\.properties.isIDContinue)
        case "cased": self = .property(\.properties.isCased)
        default: return nil
        }
    }

    private init?(script name: String) {
        guard let ranges = Scripts.ranges(of: name) else { return nil }
        self = .property { scalar in
            // The first range that ends behind the scalar is the only one that can hold it.
            var (low, high) = (0, ranges.count)
            while low < high {
                let middle = (low + high) / 2
                if ranges[middle].upperBound < scalar.value {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            return low < ranges.count && ranges[low].contains(scalar.value)
        }
    }
}

extension Unicode.Scalar {
    /// Whether something is drawn for it, blanks apart.
    fileprivate var isGraphic: Bool {
        switch properties.generalCategory {
        case .control, .surrogate, .unassigned: false
        default: !properties.isWhitespace
        }
    }
}

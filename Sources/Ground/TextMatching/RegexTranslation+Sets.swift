/// A set of scalars in PCRE2's syntax.
struct RegexSet {
    var items = ""
    /// Further expressions of one scalar each in the set.
    var others: [String] = []

    var expression: String {
        let all = (items.isEmpty ? [] : ["[\(items)]"]) + others
        return all.count == 1 ? all[0] : "(?:" + all.joined(separator: "|") + ")"
    }

    var inverted: RegexSet {
        RegexSet(others: others.isEmpty ? ["[^\(items)]"] : ["(?:(?!\(expression))(?s:.))"])
    }

    /// The scalars of a set that meet a lookahead.
    func ahead(_ condition: String) -> RegexSet {
        RegexSet(others: ["(?:(\(condition))\(expression))"])
    }
}

extension RegexTranslation {
    /// Translates an escape for a set; `nil`, with nothing read, when it is none.
    mutating func setEscape() throws(RegularExpressionFault) -> RegexSet? {
        guard let letter = next else { return nil }
        let items: String
        switch letter {
        case "d", "D": items = "\\p{Nd}"
        case "w", "W": items = Self.words
        case "s", "S": items = "\\p{White_Space}"
        case "h", "H": items = "\\t\\p{Zs}"
        case "v", "V": items = Self.lineEnds
        case "p", "P":
            place += 1
            guard take("{") else { throw RegularExpressionFault("{NAME} must follow \\p") }
            let set = try property(word(upTo: "}"))
            return letter == "P" ? set.inverted : set
        default: return nil
        }
        place += 1
        let set = RegexSet(items: items)
        return letter.properties.isUppercase ? set.inverted : set
    }

    /// Translates the name of a property, such as `Lu`, `Letter`, `Script=Greek`, and `alpha` in `[:alpha:]`.
    private func property(_ name: String) throws(RegularExpressionFault) -> RegexSet {
        let parts = name.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            .map { part in
                part.lowercased().filter { ![" ", "-", "_"].contains($0) }
            }
        guard let last = parts.last,
            parts.joined().utf8.allSatisfy({ (0x61...0x7A).contains($0) })
        else { throw RegularExpressionFault("there is no property '\(name)'") }
        let isScript = ["sc", "script"].contains(parts[0])
        let isCategory = ["gc", "generalcategory"].contains(parts[0])
        let category = Self.categories[last] ?? last
        if parts.count == 1, let items = Self.classes[last] { return RegexSet(items: items) }
        if parts.count == 1 && last.utf8.count < 3 || Self.categories[last] != nil || isCategory,
            !(isScript && parts.count == 2),
            RegularExpression.knows(
                property: category.prefix(1).uppercased() + category.dropFirst()
            )
        {
            let name = category.prefix(1).uppercased() + category.dropFirst()
            guard !isIgnoringCase || !["Lu", "Ll", "Lt"].contains(name) else {
                throw RegularExpressionFault("\\p{\(name)} is not supported when case is ignored")
            }
            return RegexSet(items: "\\p{\(name)}")
        }
        guard !isCategory, parts.count == 1 || isScript else {
            throw RegularExpressionFault("there is no property '\(name)'")
        }
        for known in ["sc:\(last)"] + (isScript && parts.count == 2 ? [] : [last])
        where RegularExpression.knows(property: known) { return RegexSet(items: "\\p{\(known)}") }
        throw RegularExpressionFault("there is no property '\(name)'")
    }

    private static let classes = [
        "any": "\\p{Any}", "ascii": "\\x{0}-\\x{7F}", "assigned": "\\P{Cn}",
        "alpha": "\\p{Alphabetic}", "lower": "\\p{Lowercase}", "upper": "\\p{Uppercase}",
        "space": "\\p{White_Space}", "digit": "\\p{Nd}", "alnum": "\\p{Alphabetic}\\p{Nd}",
        "blank": "\\t\\p{Zs}", "cntrl": "\\p{Cc}", "word": words, "xdigit": "\\p{Nd}\\p{Hex_Digit}",
        "lc": "\\p{Lu}\\p{Ll}\\p{Lt}", "casedletter": "\\p{Lu}\\p{Ll}\\p{Lt}",
    ]

    /// The short names of categories, the only ones that PCRE2 knows.
    private static let categories = [
        "letter": "l", "uppercaseletter": "lu", "lowercaseletter": "ll", "titlecaseletter": "lt",
        "modifierletter": "lm", "otherletter": "lo", "mark": "m", "combiningmark": "m",
        "nonspacingmark": "mn", "spacingmark": "mc", "enclosingmark": "me", "number": "n",
        "decimalnumber": "nd", "letternumber": "nl", "othernumber": "no", "punctuation": "p",
        "punct": "p", "connectorpunctuation": "pc", "dashpunctuation": "pd",
        "openpunctuation": "ps", "closepunctuation": "pe", "initialpunctuation": "pi",
        "finalpunctuation": "pf", "otherpunctuation": "po", "symbol": "s", "mathsymbol": "sm",
        "currencysymbol": "sc", "modifiersymbol": "sk", "othersymbol": "so", "separator": "z",
        "spaceseparator": "zs", "lineseparator": "zl", "paragraphseparator": "zp", "other": "c",
        "control": "cc", "format": "cf", "surrogate": "cs", "privateuse": "co", "unassigned": "cn",
    ]

    mutating func set(depth: Int = 0) throws(RegularExpressionFault) -> RegexSet {
        guard depth < 50 else { throw RegularExpressionFault("it nests too deep") }
        if let posix = try posixClass() { return posix }
        let isInverted = take("^")
        var (result, condition): (RegexSet?, String?) = (nil, nil)
        var members = RegexSet()
        var isFirst = true
        func joined() -> RegexSet {
            guard let result, let condition else { return members }
            return result.ahead("\(condition)\(members.expression)")
        }
        while let scalar = next {
            let isEmpty = members.items.isEmpty && members.others.isEmpty
            if scalar == "]", !isFirst {
                guard !isEmpty else { break }
                place += 1
                return isInverted ? joined().inverted : joined()
            }
            isFirst = false
            if skipComment() { continue }
            if take("&&") || take("--") {
                guard !isEmpty else { break }
                (result, members) = (joined(), RegexSet())
                condition = pattern[place - 1] == "-" ? "?!" : "?="
            } else {
                let member = try member(depth)
                members.items += member.items
                members.others += member.others
            }
        }
        throw RegularExpressionFault("a [ has no ], or is empty")
    }

    private mutating func posixClass() throws(RegularExpressionFault) -> RegexSet? {
        let rest = pattern[place...]
        guard rest.first == ":",
            let end = rest.dropFirst().firstIndex(where: { [":", "[", "]"].contains($0) }),
            rest[end...].starts(with: ":]".unicodeScalars)
        else { return nil }
        place += 1
        let isInverted = take("^")
        let name = try word(upTo: ":")
        place += 1
        let set = try posixClass(name)
        return isInverted ? set.inverted : set
    }

    private func posixClass(_ name: String) throws(RegularExpressionFault) -> RegexSet {
        // graph and print are everything outside other classes.
        switch name.lowercased() {
        case "graph": return RegexSet(items: "\\p{Cc}\\p{Cn}\\p{White_Space}").inverted
        case "print":
            return RegexSet(items: "\\p{Zs}", others: ["[^\\p{Cc}\\p{Cn}\\p{White_Space}]"])
        default: return try property(name)
        }
    }

    private mutating func member(_ depth: Int) throws(RegularExpressionFault) -> RegexSet {
        if take("[") { return try set(depth: depth + 1) }
        if take("\\") {
            if let set = try setEscape() { return set }
            place -= 1
        }
        let first = try memberScalar()
        let rest = pattern[place...].prefix(2)
        guard rest.count == 2, rest.first == "-", let last = rest.last,
            !["]", "[", "-"].contains(last)
        else { return RegexSet(items: first.hexadecimal) }
        place += 1
        let end = try memberScalar(endsRange: true)
        guard first.value <= end.value else {
            throw RegularExpressionFault("a range goes backwards")
        }
        return RegexSet(items: "\(first.hexadecimal)-\(end.hexadecimal)")
    }

    private mutating func memberScalar(
        endsRange: Bool = false
    ) throws(RegularExpressionFault) -> Unicode.Scalar {
        guard let scalar = next else { throw RegularExpressionFault("a [ has no ]") }
        place += 1
        guard scalar == "\\" else { return scalar }
        if endsRange, try setEscape() != nil {
            throw RegularExpressionFault("a range ends in a set")
        }
        return try escapedScalar()
    }

    /// Reads an escape for one scalar, in sets and outside.
    mutating func escapedScalar() throws(RegularExpressionFault) -> Unicode.Scalar {
        guard let scalar = next else { throw RegularExpressionFault("a \\ is at the end") }
        place += 1
        switch scalar {
        case "a": return "\u{7}"
        case "e": return "\u{1B}"
        case "f": return "\u{C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "u": return try number(16, 4...4)
        case "U": return try number(16, 8...8)
        case "x":
            guard take("{") else { return try number(16, 1...2) }
            let value = try number(16, 1...6)
            guard take("}") else { throw RegularExpressionFault("a bracket is not closed") }
            return value
        case "0": return try number(8, 1...3)
        case "c":
            guard let letter = next, let control = Unicode.Scalar(letter.value & 0x1F) else {
                throw RegularExpressionFault("a \\ is at the end")
            }
            place += 1
            return control
        case "N":
            throw RegularExpressionFault("\\N{NAME} is not supported; write \\u and the number")
        case "1"..."9": throw RegularExpressionFault("there is no group \(scalar) here")
        default: return scalar
        }
    }

    /// Reads the number of a scalar; one in octal digits is below 256.
    private mutating func number(
        _ radix: Int,
        _ counts: ClosedRange<Int>
    ) throws(RegularExpressionFault) -> Unicode.Scalar {
        var (value, count) = (0, 0)
        while count < counts.upperBound, let digit = next.flatMap({ Character($0).hexDigitValue }),
            digit < radix, radix == 16 || value * 8 + digit < 256
        {
            value = value * radix + digit
            count += 1
            place += 1
        }
        guard counts.contains(count),
            let scalar = UInt32(exactly: value).flatMap(Unicode.Scalar.init)
        else { throw RegularExpressionFault("an escape lacks the number of its character") }
        return scalar
    }
}

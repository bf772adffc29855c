/// Translates a regular expression of ICU to PCRE2's syntax.
///
/// What both write alike and mean differently is spelled out: line ends, word boundaries, which letters and digits the
/// classes contain, and texts that are equal except for case. A set with operations becomes lookaheads of one scalar.
struct RegexTranslation {
    /// The flags of `(?i)` and the like; only the first is passed on to PCRE2.
    private struct Flags: OptionSet {
        let rawValue: Int
        static let ignoringCase = Self(rawValue: 1)
        static let dotIsAll = Self(rawValue: 2)
        static let lines = Self(rawValue: 4)
        static let comments = Self(rawValue: 8)
        static let unixLines = Self(rawValue: 16)
        static let letters: [Unicode.Scalar: Flags] = [
            "i": .ignoringCase, "s": .dotIsAll, "m": .lines, "x": .comments, "d": .unixLines,
        ]
    }

    private(set) var text = ""
    let pattern: [Unicode.Scalar]
    var place = 0
    private var flags: Flags = []
    /// Letters in any case, compared together: two may be the case of one.
    private var run: [Unicode.Scalar] = []
    private var depth = 0

    /// The limits of nesting and of repetition counts.
    private static let (depthLimit, countLimit) = (100, 10_000)

    /// Translates a pattern; throws for one that ICU rejects, or that PCRE2 cannot express.
    init(of pattern: String) throws(RegularExpressionFault) {
        self.pattern = Array(pattern.unicodeScalars)
        try alternatives()
        guard next == nil else { throw RegularExpressionFault("a ) has no (") }
    }

    var next: Unicode.Scalar? { place < pattern.count ? pattern[place] : nil }

    var isIgnoringCase: Bool { flags.contains(.ignoringCase) }

    mutating func take(_ words: String) -> Bool {
        guard pattern[place...].starts(with: words.unicodeScalars) else { return false }
        place += words.unicodeScalars.count
        return true
    }

    /// Reads the text before a closing bracket.
    mutating func word(upTo end: Unicode.Scalar) throws(RegularExpressionFault) -> String {
        guard let last = pattern[place...].firstIndex(of: end) else {
            throw RegularExpressionFault("a bracket is not closed")
        }
        defer { place = last + 1 }
        return pattern[place..<last].reduce(into: "") { $0.unicodeScalars.append($1) }
    }

    private mutating func alternatives() throws(RegularExpressionFault) {
        depth += 1
        guard depth <= Self.depthLimit else { throw RegularExpressionFault("it nests too deep") }
        let outer = flags
        repeat {
            while let scalar = next, scalar != "|", scalar != ")" { try piece(scalar) }
            endRun()
            if next == "|" { text += "|" }
        } while take("|")
        flags = outer
        depth -= 1
    }

    mutating func skipComment() -> Bool {
        guard flags.contains(.comments), let scalar = next else { return false }
        if scalar.properties.isPatternWhitespace {
            place += 1
            return true
        }
        guard scalar == "#" else { return false }
        while let scalar = next, !scalar.endsLine { place += 1 }
        return true
    }

    /// Translates an atom with its repetition.
    private mutating func piece(_ scalar: Unicode.Scalar) throws(RegularExpressionFault) {
        if skipComment() { return }
        if take("\\Q") { return try quotation() }
        place += 1
        let isUnix = flags.contains(.unixLines)
        switch scalar {
        case "(": try group()
        case "[": try atom(set().expression)
        case ".":
            let isAll = flags.contains(.dotIsAll)
            try atom(isAll ? "(?>\\r\\n|(?s:.))" : isUnix ? "[^\\n]" : "[^\(Self.lineEnds)]")
        case "^": try atom(flags.contains(.lines) ? Self.lineStart(isUnix) : "(?:\\A)")
        case "$": try atom(flags.contains(.lines) ? Self.lineEnd(isUnix) : Self.lastEnd(isUnix))
        case "\\": try escape(isUnix)
        case "*", "+", "?", "{", "}": throw RegularExpressionFault("'\(scalar)' repeats nothing")
        default: try literal(scalar)
        }
    }

    /// Everything up to `\E` is literal; a repetition applies to its last letter.
    private mutating func quotation() throws(RegularExpressionFault) {
        while let scalar = next, !take("\\E") {
            place += 1
            // The quotation may end before the repetition of its last letter.
            let isLast = take("\\E")
            try literal(scalar, mayRepeat: isLast)
            if isLast { return }
        }
    }

    private mutating func group() throws(RegularExpressionFault) {
        endRun()
        guard take("?") else { return try closed("(") }
        if take("#") { return _ = try word(upTo: ")") }
        for beginning in [":", ">"] where take(beginning) { return try closed("(?" + beginning) }
        for beginning in ["=", "!", "<=", "<!"] where take(beginning) {
            return try closed("(?" + beginning, mayRepeat: false)
        }
        if take("<") { return try closed("(?<\(name())>") }
        var changed = flags
        var isOn = true
        while let letter = next, letter != ")", letter != ":" {
            place += 1
            if letter == "-", isOn {
                isOn = false
            } else if let flag = Flags.letters[letter] {
                if isOn { changed.insert(flag) } else { changed.remove(flag) }
            } else {
                throw RegularExpressionFault("there is no flag '\(letter)'")
            }
        }
        let mark = changed.contains(.ignoringCase) ? "i" : "-i"
        if take(")") {
            text += "(?\(mark))"
            return flags = changed
        }
        guard take(":") else { throw RegularExpressionFault("a ( has no )") }
        let outer = flags
        flags = changed
        try closed("(?\(mark):", restoring: outer)
    }

    private mutating func closed(
        _ beginning: String,
        mayRepeat: Bool = true,
        restoring outer: Flags? = nil
    ) throws(RegularExpressionFault) {
        let start = text.endIndex
        text += beginning
        try alternatives()
        guard take(")") else { throw RegularExpressionFault("a ( has no )") }
        text += ")"
        if let outer { flags = outer }
        try repetition(mayRepeat, from: start)
    }

    private mutating func name() throws(RegularExpressionFault) -> String {
        let name = try word(upTo: ">")
        let isPlain = name.utf8.allSatisfy { (0x61...0x7A).contains($0 | 0x20) || $0 < 0x3A }
        guard isPlain, name.allSatisfy({ $0.isLetter || $0.isNumber }), name.first?.isLetter == true
        else { throw RegularExpressionFault("'\(name)' is not a valid group name") }
        return name
    }

    private mutating func escape(_ isUnix: Bool) throws(RegularExpressionFault) {
        guard let scalar = next else { throw RegularExpressionFault("a \\ is at the end") }
        if let set = try setEscape() { return try atom(set.expression) }
        place += 1
        switch scalar {
        case "A": try atom("\\A", mayRepeat: false)
        case "Z": try atom(Self.lastEnd(isUnix), mayRepeat: false)
        case "z": try atom("\\z", mayRepeat: false)
        case "b": try atom(Self.wordBound, mayRepeat: false)
        case "B": try atom("(?!\(Self.wordBound))", mayRepeat: false)
        case "G": try atom("\\G", mayRepeat: false)
        case "X": try atom(Self.cluster)
        case "R": try atom("(?>\\r\\n|[\(Self.lineEnds)])")
        case "k":
            guard take("<") else { throw RegularExpressionFault("<NAME> must follow \\k") }
            try atom("\\k<\(name())>")
        case "1"..."9":
            var number = Int(scalar.value) - 0x30
            while let digit = next?.digit, number * 10 + digit <= groupCount {
                number = number * 10 + digit
                place += 1
            }
            try atom("\\g{\(number)}")
        default:
            place -= 1
            try literal(escapedScalar())
        }
    }

    /// The number of groups in the whole pattern, accurate enough to separate a reference from a following digit.
    private var groupCount: Int {
        pattern.indices.count { place in
            let rest = pattern[place...].prefix(4).map(Character.init)
            return rest.first == "("
                && (rest.dropFirst().first != "?"
                    || rest.count == 4 && rest[2] == "<" && rest[3] != "=" && rest[3] != "!")
        }
    }

    private mutating func atom(
        _ expression: String,
        mayRepeat: Bool = true
    ) throws(RegularExpressionFault) {
        endRun()
        let start = text.endIndex
        text += expression
        try repetition(mayRepeat, from: start)
    }

    private mutating func literal(
        _ scalar: Unicode.Scalar,
        mayRepeat: Bool = true
    ) throws(RegularExpressionFault) {
        while skipComment() {}
        guard isIgnoringCase else {
            text += scalar.hexadecimal
            if mayRepeat { try repetition(true) }
            return
        }
        guard mayRepeat, let next, "*+?{".unicodeScalars.contains(next) else {
            return run.append(scalar)
        }
        endRun()
        text += "(?:\(CaseVariants.expression(of: [scalar])))"
        try repetition(true)
    }

    private mutating func endRun() {
        guard !run.isEmpty else { return }
        text += CaseVariants.expression(of: run)
        run = []
    }

    /// Writes the repetition of an atom that begins at an index of the text.
    private mutating func repetition(
        _ mayRepeat: Bool,
        from start: String.Index? = nil
    ) throws(RegularExpressionFault) {
        while skipComment() {}
        guard let mark = next, "*+?{".unicodeScalars.contains(mark) else { return }
        place += 1
        guard mayRepeat else {
            throw RegularExpressionFault("a position in the text cannot be repeated")
        }
        let end = text.endIndex
        text.unicodeScalars.append(mark)
        if mark == "{" {
            let counts = try word(upTo: "}")
            let numbers = counts.split(separator: ",", omittingEmptySubsequences: false)
            let values = numbers.map { $0.utf8.allSatisfy { $0 < 0x3A } ? Int($0) : nil }
            let (least, most) = (values[0], values.count == 2 ? values[1] : values[0])
            guard let least, values.count <= 2, least <= Self.countLimit,
                most.map({ (least...Self.countLimit).contains($0) }) ?? (numbers.last == "")
            else {
                throw RegularExpressionFault("{\(counts)} is not a valid number of repetitions")
            }
            text += counts + "}"
        }
        if take("?") {
            text += "?"
        } else if take("+") {
            // ICU matches nothing if a repeated part may be empty.
            guard start.map({ RegularExpression.mayBeEmpty(String(text[$0..<end])) }) != true else {
                throw RegularExpressionFault(
                    "'\(mark)+' after something that may be empty is not supported"
                )
            }
            text += "+"
        }
        if let next, "*+?{".unicodeScalars.contains(next) {
            throw RegularExpressionFault("a repetition cannot be repeated")
        }
    }
}

/// Replacements for what PCRE2 writes differently.
extension RegexTranslation {
    static let lineEnds = "\\n-\\r\\x{85}\\x{2028}\\x{2029}"
    static let words = "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\x{200C}\\x{200D}"

    /// Asserts that the position is not between the two scalars of a line end.
    private static let isOutside = "(?!(?<=\\r)\\n)"

    private static func lineStart(_ isUnix: Bool) -> String {
        isUnix ? "(?:\\A|(?<=\\n)(?!\\z))" : "(?:\\A|(?<=[\(lineEnds)])(?!\\z)\(isOutside))"
    }

    private static func lineEnd(_ isUnix: Bool) -> String {
        isUnix ? "(?=\\n|\\z)" : "(?:\\z|(?=[\(lineEnds)])\(isOutside))"
    }

    private static func lastEnd(_ isUnix: Bool) -> String {
        isUnix ? "(?=\\n?\\z)" : "(?:(?=(?>\\r\\n|[\(lineEnds)])?\\z)\(isOutside))"
    }

    /// A grapheme cluster by UAX #29; PCRE2 10.42 joins two pictures.
    private static let cluster: String = {
        let extending = "[\\p{Grapheme_Extend}\\p{Emoji_Modifier}]*"
        let picture = "\\p{Extended_Pictographic}"
        let (lead, vowel, tail) = (
            "[\\x{1100}-\\x{115F}\\x{A960}-\\x{A97C}]", "[\\x{1160}-\\x{11A7}\\x{D7B0}-\\x{D7C6}]",
            "[\\x{11A8}-\\x{11FF}\\x{D7CB}-\\x{D7FB}]"
        )
        let core = [
            "\\p{Regional_Indicator}{2}", "\(picture)(?:\(extending)\\x{200D}\(picture))*",
            "\(lead)*(?:\(vowel)+|[\\x{AC00}-\\x{D7A3}]\(vowel)*)\(tail)*", "\(lead)+", "\(tail)+",
            "(?s:.)",
        ].joined(separator: "|")
        let control = "[\\p{Cc}\\p{Zl}\\p{Zp}]|(?![\\x{200D}\\p{Grapheme_Extend}])\\p{Cf}"
        let end = "[\\p{Grapheme_Extend}\\p{Mc}\\p{Emoji_Modifier}\\x{200D}]*"
        return "(?>\\r\\n|\(control)|(?:\(core))\(end))"
    }()

    /// A word boundary; up to eight marks and joiners belong to the preceding character.
    private static let wordBound: String = {
        let joined = "[\\p{Grapheme_Extend}\\p{Cf}]"
        let before = (0...8).map {
            "(?=[\(words)])(?!\(joined))(?s:.)" + String(repeating: joined, count: $0)
        }
        let isBehindWord = before.joined(separator: "|")
        return
            "(?:(?!\(joined))(?:(?<=\(isBehindWord))(?![\(words)])|(?<!\(isBehindWord))(?=[\(words)])))"
    }()
}

extension Unicode.Scalar {
    /// The scalar in PCRE2's syntax.
    var hexadecimal: String { "\\x{" + String(value, radix: 16) + "}" }

    var digit: Int? { (0x30...0x39).contains(value) ? Int(value) - 0x30 : nil }

    fileprivate var endsLine: Bool {
        [0x85, 0x2028, 0x2029].contains(value) || (0x0A...0x0D).contains(value)
    }
}

/// Takes the text of a regular expression apart.
struct RegexParser {
    /// What `(?i)` and the like turn on.
    struct Flags: OptionSet {
        let rawValue: Int
        static let ignoringCase = Self(rawValue: 1)
        static let dotIsAll = Self(rawValue: 2)
        static let lines = Self(rawValue: 4)
        static let comments = Self(rawValue: 8)
        static let unixLines = Self(rawValue: 16)

        init(rawValue: Int) {
            self.rawValue = rawValue
        }

        init?(_ letter: Unicode.Scalar) {
            switch letter {
            case "i": self = .ignoringCase
            case "s": self = .dotIsAll
            case "m": self = .lines
            case "x": self = .comments
            case "d": self = .unixLines
            default: return nil
            }
        }
    }

    let text: [Unicode.Scalar]
    var place = 0
    var flags: Flags = []
    /// What a quotation holds before its last letter.
    var pending: [RegexTree] = []
    private(set) var groupCount = 0
    private(set) var names: [String: Int] = [:]
    private var depth = 0

    /// No pattern nests deeper; the parser and the matcher call themselves for each level.
    private static let depthLimit = 100
    /// No repetition is counted further.
    private static let countLimit = 10_000

    init(_ text: [Unicode.Scalar]) {
        self.text = text
    }

    var next: Unicode.Scalar? { place < text.count ? text[place] : nil }

    mutating func take(_ words: String) -> Bool {
        let words = Array(words.unicodeScalars)
        guard text[place...].starts(with: words) else { return false }
        place += words.count
        return true
    }

    mutating func parse() throws(RegexSyntaxError) -> RegexTree {
        let tree = try alternatives()
        guard next == nil else { throw RegexSyntaxError() }
        return tree
    }

    private mutating func alternatives() throws(RegexSyntaxError) -> RegexTree {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.depthLimit else { throw RegexSyntaxError() }
        let outer = flags
        defer { flags = outer }
        var all = [try sequence()]
        while take("|") { all.append(try sequence()) }
        return all.count == 1 ? all[0] : .alternatives(all)
    }

    private mutating func sequence() throws(RegexSyntaxError) -> RegexTree {
        var parts: [RegexTree] = []
        while let scalar = next, scalar != "|", scalar != ")" {
            if flags.contains(.comments), skipComment() { continue }
            let isEscape = scalar == "\\"
            guard let part = try piece() else { continue }
            parts += pending
            pending = []
            parts.append(try repeated(part, isEscape))
        }
        return parts.count == 1 ? parts[0] : parts.isEmpty ? .empty : .sequence(parts)
    }

    private mutating func skipComment() -> Bool {
        guard let scalar = next else { return false }
        if scalar.properties.isPatternWhitespace {
            place += 1
            return true
        }
        guard scalar == "#" else { return false }
        while let scalar = next, !scalar.endsLine(isUnix: false) { place += 1 }
        return true
    }

    /// Returns what can be repeated; `nil` for what says nothing by itself.
    private mutating func piece() throws(RegexSyntaxError) -> RegexTree? {
        guard let scalar = next else { throw RegexSyntaxError() }
        place += 1
        let isUnix = flags.contains(.unixLines)
        switch scalar {
        case "(": return try group()
        case "[": return .set(try set())
        case ".":
            return flags.contains(.dotIsAll)
                ? .anything : .set(.inverted(.lineEnds(isUnix: isUnix)))
        case "^": return .place(flags.contains(.lines) ? .lineStart(isUnix: isUnix) : .textStart)
        case "$":
            return .place(
                flags.contains(.lines) ? .lineEnd(isUnix: isUnix) : .lastLineEnd(isUnix: isUnix)
            )
        case "\\": return try escape()
        case "*", "+", "?", "{", "}": throw RegexSyntaxError()
        default: return literal(scalar)
        }
    }

    func literal(_ scalar: Unicode.Scalar) -> RegexTree {
        .scalar(scalar, ignoringCase: flags.contains(.ignoringCase))
    }

    private mutating func group() throws(RegexSyntaxError) -> RegexTree? {
        guard take("?") else { return try numberedGroup() }
        if take("#") {
            while let scalar = next, scalar != ")" { place += 1 }
            guard take(")") else { throw RegexSyntaxError() }
            return nil
        }
        if take(":") { return try closed() }
        if take(">") { return .atomic(try closed()) }
        if take("=") { return .look(try closed(), isBehind: false, isNegative: false) }
        if take("!") { return .look(try closed(), isBehind: false, isNegative: true) }
        if take("<=") { return try lookBehind(isNegative: false) }
        if take("<!") { return try lookBehind(isNegative: true) }
        if take("<") {
            let name = try name()
            guard names.updateValue(groupCount + 1, forKey: name) == nil else {
                throw RegexSyntaxError()
            }
            return try numberedGroup()
        }
        return try flagGroup()
    }

    private mutating func numberedGroup() throws(RegexSyntaxError) -> RegexTree {
        groupCount += 1
        let number = groupCount
        return .group(try closed(), number: number)
    }

    private mutating func closed() throws(RegexSyntaxError) -> RegexTree {
        let tree = try alternatives()
        guard take(")") else { throw RegexSyntaxError() }
        return tree
    }

    private mutating func lookBehind(isNegative: Bool) throws(RegexSyntaxError) -> RegexTree {
        let tree = try closed()
        guard tree.lengths.most != nil else { throw RegexSyntaxError() }
        return .look(tree, isBehind: true, isNegative: isNegative)
    }

    /// Reads a name up to its closing bracket.
    mutating func name() throws(RegexSyntaxError) -> String {
        var name = ""
        while let scalar = next, scalar != ">" {
            guard scalar.isASCII, scalar.properties.isAlphabetic || scalar.digit != nil else {
                throw RegexSyntaxError()
            }
            name.unicodeScalars.append(scalar)
            place += 1
        }
        guard take(">"), let first = name.unicodeScalars.first, first.digit == nil else {
            throw RegexSyntaxError()
        }
        return name
    }

    private mutating func flagGroup() throws(RegexSyntaxError) -> RegexTree? {
        var (changed, isOn) = (flags, true)
        while let letter = next, letter != ")", letter != ":" {
            place += 1
            if letter == "-", isOn {
                isOn = false
            } else if let flag = Flags(letter) {
                if isOn { changed.insert(flag) } else { changed.remove(flag) }
            } else {
                throw RegexSyntaxError()
            }
        }
        if take(")") {
            flags = changed
            return nil
        }
        guard take(":") else { throw RegexSyntaxError() }
        let outer = flags
        flags = changed
        defer { flags = outer }
        return try closed()
    }

    private mutating func repeated(
        _ tree: RegexTree,
        _ isEscape: Bool
    ) throws(RegexSyntaxError) -> RegexTree {
        if flags.contains(.comments) { while skipComment() {} }
        let range: ClosedRange<Int>
        if take("*") {
            range = 0...RegexTree.endless
        } else if take("+") {
            range = 1...RegexTree.endless
        } else if take("?") {
            range = 0...1
        } else if take("{") {
            range = try counts()
        } else {
            return tree
        }
        switch tree {
        case .look: throw RegexSyntaxError()
        case .place where isEscape: throw RegexSyntaxError()
        default: break
        }
        let greed: RegexTree.Greed = take("?") ? .lazy : take("+") ? .possessive : .greedy
        // A repetition of a repetition is no pattern.
        if let next, "*+?{".unicodeScalars.contains(next) { throw RegexSyntaxError() }
        return .repetition(tree, range, greed)
    }

    private mutating func counts() throws(RegexSyntaxError) -> ClosedRange<Int> {
        guard let least = number() else { throw RegexSyntaxError() }
        var most: Int? = least
        if take(",") { most = next == "}" ? RegexTree.endless : number() }
        guard take("}"), let most, least <= most else { throw RegexSyntaxError() }
        return least...most
    }

    private mutating func number() -> Int? {
        var value: Int?
        while let digit = next?.digit {
            let number = (value ?? 0) * 10 + digit
            guard number <= Self.countLimit else { return nil }
            value = number
            place += 1
        }
        return value
    }
}

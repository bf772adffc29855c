extension RegexParser {
    /// Reads what stands behind a backslash outside of sets; `nil` for what says nothing by itself.
    mutating func escape() throws(RegexSyntaxError) -> RegexTree? {
        guard let scalar = next else { throw RegexSyntaxError() }
        if scalar == "Q" { return quotation() }
        if let set = try setEscape() { return .set(set) }
        place += 1
        let isUnix = flags.contains(.unixLines)
        let ignoringCase = flags.contains(.ignoringCase)
        switch scalar {
        case "A": return .place(.textStart)
        case "Z": return .place(.lastLineEnd(isUnix: isUnix))
        case "z": return .place(.textEnd)
        case "b": return .place(.wordBound)
        case "B": return .place(.noWordBound)
        case "G": return .place(.searchStart)
        case "X": return .cluster
        case "R":
            return .atomic(
                .alternatives([
                    .sequence([
                        .scalar("\r", ignoringCase: false), .scalar("\n", ignoringCase: false),
                    ]), .set(.lineEnds(isUnix: false)),
                ])
            )
        case "k":
            guard take("<") else { throw RegexSyntaxError() }
            return .namedReference(try name(), ignoringCase: ignoringCase)
        case "1"..."9": return try reference(scalar, ignoringCase)
        default:
            place -= 1
            return literal(try escapedScalar())
        }
    }

    private mutating func reference(
        _ first: Unicode.Scalar,
        _ ignoringCase: Bool
    ) throws(RegexSyntaxError) -> RegexTree {
        guard var number = first.digit else { throw RegexSyntaxError() }
        while let digit = next?.digit, number * 10 + digit <= openGroups {
            number = number * 10 + digit
            place += 1
        }
        return .reference(number, ignoringCase: ignoringCase)
    }

    /// The number of groups in the whole pattern, near enough to tell a reference from a digit behind it.
    private var openGroups: Int {
        text.indices.count { place in
            text[place] == "("
                && (place + 1 >= text.count || text[place + 1] != "?"
                    || place + 3 < text.count && text[place + 2] == "<"
                        && text[place + 3] != "=" && text[place + 3] != "!")
        }
    }

    /// Everything up to `\E` stands for itself.
    private mutating func quotation() -> RegexTree? {
        place += 1
        var parts: [RegexTree] = []
        while let scalar = next {
            if take("\\E") { break }
            parts.append(literal(scalar))
            place += 1
        }
        // What repeats it repeats its last letter.
        guard let last = parts.popLast() else { return nil }
        pending = parts
        return last
    }

    /// Reads an escape that stands for one scalar, in sets and outside.
    mutating func escapedScalar() throws(RegexSyntaxError) -> Unicode.Scalar {
        guard let scalar = next else { throw RegexSyntaxError() }
        place += 1
        switch scalar {
        case "a": return "\u{7}"
        case "e": return "\u{1B}"
        case "f": return "\u{C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "u": return try hexadecimal(4...4)
        case "U": return try hexadecimal(8...8)
        case "x":
            guard take("{") else { return try hexadecimal(1...2) }
            let value = try hexadecimal(1...6)
            guard take("}") else { throw RegexSyntaxError() }
            return value
        case "0": return try octal()
        case "c":
            guard let letter = next, let control = Unicode.Scalar(letter.value & 0x1F) else {
                throw RegexSyntaxError()
            }
            place += 1
            return control
        // Has a meaning, but not here.
        case "N", "1"..."9": throw RegexSyntaxError()
        default: return scalar
        }
    }

    private mutating func hexadecimal(
        _ counts: ClosedRange<Int>
    ) throws(RegexSyntaxError) -> Unicode.Scalar {
        var (value, count): (UInt32, Int) = (0, 0)
        while count < counts.upperBound, let digit = next.flatMap({ Character($0).hexDigitValue }) {
            value = value << 4 | UInt32(digit)
            count += 1
            place += 1
        }
        guard counts.contains(count), let scalar = Unicode.Scalar(value) else {
            throw RegexSyntaxError()
        }
        return scalar
    }

    private mutating func octal() throws(RegexSyntaxError) -> Unicode.Scalar {
        var (value, count): (UInt32, Int) = (0, 0)
        while count < 3, let digit = next?.digit, digit < 8, value * 8 + UInt32(digit) < 256 {
            value = value * 8 + UInt32(digit)
            count += 1
            place += 1
        }
        guard count > 0, let scalar = Unicode.Scalar(value) else { throw RegexSyntaxError() }
        return scalar
    }

    /// Reads an escape that stands for a set; `nil`, and nothing read, when it is none.
    mutating func setEscape() throws(RegexSyntaxError) -> ScalarSet? {
        let set: ScalarSet
        switch next {
        case "d": set = .digits
        case "D": set = .inverted(.digits)
        case "w": set = .words
        case "W": set = .inverted(.words)
        case "s": set = .spaces
        case "S": set = .inverted(.spaces)
        case "h": set = .blanks
        case "H": set = .inverted(.blanks)
        case "v": set = .lineEnds(isUnix: false)
        case "V": set = .inverted(.lineEnds(isUnix: false))
        case "p", "P": return try property()
        default: return nil
        }
        place += 1
        return set
    }

    private mutating func property() throws(RegexSyntaxError) -> ScalarSet {
        let isInverted = next == "P"
        place += 1
        guard take("{") else { throw RegexSyntaxError() }
        var name = ""
        while let scalar = next, scalar != "}" {
            name.unicodeScalars.append(scalar)
            place += 1
        }
        guard take("}") else { throw RegexSyntaxError() }
        return try named(name, isInverted: isInverted)
    }

    private func named(_ name: String, isInverted: Bool) throws(RegexSyntaxError) -> ScalarSet {
        let isTurned = name.first == "^"
        guard let set = ScalarSet(property: isTurned ? String(name.dropFirst()) : name) else {
            throw RegexSyntaxError()
        }
        return isInverted != isTurned ? .inverted(set) : set
    }

    /// Reads a set behind its opening bracket.
    mutating func set(depth: Int = 0) throws(RegexSyntaxError) -> ScalarSet {
        guard depth < 50 else { throw RegexSyntaxError() }
        if let posix = try posixClass() { return posix }
        let isInverted = take("^")
        var result: ScalarSet?
        var join: (@Sendable (ScalarSet, ScalarSet) -> ScalarSet)?
        var members: [ScalarSet] = []
        var isFirst = true
        func joined() -> ScalarSet {
            let new = ScalarSet.union(members)
            guard let result, let join else { return new }
            return join(result, new)
        }
        while let scalar = next {
            if scalar == "]", !isFirst {
                guard !members.isEmpty else { throw RegexSyntaxError() }
                place += 1
                return isInverted ? .inverted(joined()) : joined()
            }
            isFirst = false
            if take("&&") || take("--") {
                guard !members.isEmpty else { throw RegexSyntaxError() }
                let isDifference = text[place - 1] == "-"
                (result, members) = (joined(), [])
                join = { isDifference ? .intersection($0, .inverted($1)) : .intersection($0, $1) }
            } else {
                members.append(try member(depth).caseFolding(flags.contains(.ignoringCase)))
            }
        }
        throw RegexSyntaxError()
    }

    /// Reads `[:name:]` behind its opening bracket.
    private mutating func posixClass() throws(RegexSyntaxError) -> ScalarSet? {
        guard next == ":" else { return nil }
        var end = place + 1
        while end + 1 < text.count, text[end] != ":" || text[end + 1] != "]" {
            guard text[end] != "]", text[end] != "[" else { return nil }
            end += 1
        }
        guard end + 1 < text.count else { return nil }
        var name = String.UnicodeScalarView()
        name.append(contentsOf: text[(place + 1)..<end])
        place = end + 2
        return try named(String(name), isInverted: false)
    }

    private mutating func member(_ depth: Int) throws(RegexSyntaxError) -> ScalarSet {
        if take("[") { return try set(depth: depth + 1) }
        if next == "\\" {
            place += 1
            if let set = try setEscape() { return set }
            place -= 1
        }
        let first = try memberScalar()
        guard next == "-", place + 1 < text.count, text[place + 1] != "]",
            text[place + 1] != "[", text[place + 1] != "-"
        else { return .range(first.value...first.value) }
        place += 1
        let last = try memberScalar(endsRange: true)
        guard first.value <= last.value else { throw RegexSyntaxError() }
        return .range(first.value...last.value)
    }

    private mutating func memberScalar(
        endsRange: Bool = false
    ) throws(RegexSyntaxError) -> Unicode.Scalar {
        guard let scalar = next else { throw RegexSyntaxError() }
        place += 1
        guard scalar == "\\" else { return scalar }
        if endsRange, try setEscape() != nil { throw RegexSyntaxError() }
        return try escapedScalar()
    }
}

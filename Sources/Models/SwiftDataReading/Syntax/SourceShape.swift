#if SwiftData
    /// The most open brackets of a kind, or conditions: the parser's time grows with their cube and their square.
    private let openLimit = 200

    /// The limits of text without a declaration.
    ///
    /// In text that is not Swift, the parser looks for the next declaration from each word, through the rest of the file.
    private enum IdleLimit {
        /// Tokens outside of brackets; long literals are inside.
        static let outside = 5_000
        static let all = 10_000
        /// Tokens in brackets without a comma.
        static let unseparated = 2_500
        /// The total bytes after each word outside of brackets: it may be a declaration without its keyword.
        static let behindWords = 30_000_000
    }

    /// What makes a file unlike handwritten source and slow to parse; `nil` for nothing.
    ///
    /// What is not parsed need not be looked at closely.
    func strangeness(of bytes: [UInt8], isParsed: Bool = true) -> String? {
        if nestsTooDeeply(bytes) { return tooDeep }
        return isParsed ? tokenStrangeness(of: bytes) : nil
    }

    /// Whether a file nests brackets more deeply than people write.
    ///
    /// Brackets in strings and comments count too, and the limit allows for them. Angle brackets may be comparisons: whatever
    /// cannot occur between generics closes them all.
    private func nestsTooDeeply(_ bytes: [UInt8]) -> Bool {
        // Each kind separately: one that is closed too often does not close another.
        var (round, square, curly, angle) = (0, 0, 0, 0)
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "("): round += 1
            case UInt8(ascii: ")"): round = max(0, round - 1)
            case UInt8(ascii: "["): square += 1
            case UInt8(ascii: "]"): square = max(0, square - 1)
            case UInt8(ascii: "{"): (curly, angle) = (curly + 1, 0)
            case UInt8(ascii: "}"): (curly, angle) = (max(0, curly - 1), 0)
            case UInt8(ascii: "<"): angle += 1
            case UInt8(ascii: ">"): angle = max(0, angle - 1)
            case UInt8(ascii: "="), UInt8(ascii: ";"), UInt8(ascii: "\""): angle = 0
            default: continue
            }
            if max(round, square, curly, angle) > openLimit { return true }
        }
        return false
    }

    /// Whether the file nests more deeply, or runs longer without a declaration, than any handwritten source.
    ///
    /// Comments and texts do not count, and the content of braces counts separately.
    private func tokenStrangeness(of bytes: [UInt8]) -> String? {
        var tokens = SourceTokens(bytes)
        var conditions = 0
        var squares = SquareRun()
        var switches = SwitchRun(end: bytes.count)
        var attributes = AttributeRun()
        var strays = StrayBracketRun(end: bytes.count)
        var run = IdleRun()
        var bodies: [(run: IdleRun, start: Int)] = []
        var start = 0
        while let token = tokens.next() {
            run.pass(tokens.place - start)
            start = tokens.place
            switch token {
            case .sign(UInt8(ascii: "{")):
                bodies.append((run, tokens.place))
                run = IdleRun(isOfMembers: run.declaresType)
            case .sign(UInt8(ascii: "}")):
                let body = bodies.popLast()
                run = body?.run ?? IdleRun()
                run.passBody(body.map { tokens.place - $0.start } ?? 0)
            case .word(let hash) where declaringWords.contains(hash):
                run.restart(declaresType: typeWords.contains(hash))
            case .word(conditionWord): conditions += 1
            case .word(conditionEnd): conditions = max(0, conditions - 1)
            case .sign, .word: break
            }
            run.count(token)
            squares.count(token)
            switches.count(token, at: tokens.place)
            attributes.count(token, at: tokens.place)
            strays.count(token, at: tokens.place)
            if squares.isTooDeep { return tooDeep }
            if switches.isTooLong { return SwitchRun.tooLong }
            if run.isTooLong { return IdleRun.tooLong }
            if conditions > openLimit { return "too many #if are open at once" }
        }
        if attributes.isTooLong(at: bytes.count) { return AttributeRun.tooLong }
        if strays.isTooLong { return StrayBracketRun.tooLong }
        // A string without its closing quotes is not a token.
        run.pass(tokens.place - start)
        return run.isTooLong ? IdleRun.tooLong : nil
    }

    private let tooDeep = "brackets are nested too deeply"

    /// The number of nested square brackets that may be one type.
    ///
    /// The parser reads such a type again for each of its brackets, as it may be an array of a length: two more take
    /// four times as long.
    private struct SquareRun {
        private static let limit = 8

        private var depth = 0

        var isTooDeep: Bool { depth > Self.limit }

        mutating func count(_ token: SourceTokens.Token) {
            guard case .sign(let sign) = token else { return }
            switch sign {
            case UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "]"): depth = max(0, depth - 1)
            case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="), UInt8(ascii: "{"),
                UInt8(ascii: "}"):
                depth = 0
            default: break
            }
        }
    }

    /// The total length of text after each `switch` that does not begin with a case.
    ///
    /// From each of them the parser looks for an `#if` through the rest of the file.
    private struct SwitchRun {
        static let tooLong = "hundreds of switches have no case"
        private static let limit = 20 << 20

        private enum State: Equatable {
            case outside
            /// After the word, with this many open brackets.
            case subject(brackets: Int)
            case body
        }

        private let end: Int
        private var state = State.outside
        /// Whether a period or a backtick makes the next word a name.
        private var isNameNext = false
        private var behind = 0

        init(end: Int) { self.end = end }

        var isTooLong: Bool { behind > Self.limit }

        mutating func count(_ token: SourceTokens.Token, at offset: Int) {
            switch (state, token) {
            case (.subject(0), .sign(UInt8(ascii: "{"))): state = .body
            case (.subject(0), let token) where endsSubject(token): endWithoutCase(at: offset)
            case (.subject(let brackets), .sign(let sign)):
                state = .subject(brackets: brackets + bracketChange(sign))
            case (.body, let token):
                if beginsCase(token) { state = .outside } else { endWithoutCase(at: offset) }
            case (.subject, .word), (.outside, _): break
            }
            if token == .word(switchWord), !isNameNext { state = .subject(brackets: 0) }
            isNameNext = [.sign(UInt8(ascii: ".")), .sign(UInt8(ascii: "`"))].contains(token)
        }

        private mutating func endWithoutCase(at offset: Int) {
            behind += end - offset
            state = .outside
        }

        private func bracketChange(_ sign: UInt8) -> Int {
            switch sign {
            case UInt8(ascii: "("), UInt8(ascii: "["): 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"): -1
            default: 0
            }
        }

        private func endsSubject(_ token: SourceTokens.Token) -> Bool {
            switch token {
            case .word(let word):
                word == switchWord || caseWords.contains(word) || declaringWords.contains(word)
            case .sign(let sign):
                [UInt8(ascii: "}"), UInt8(ascii: ")"), UInt8(ascii: "]")].contains(sign)
            }
        }

        private func beginsCase(_ token: SourceTokens.Token) -> Bool {
            switch token {
            case .word(let word): caseWords.contains(word)
            case .sign(let sign): [UInt8(ascii: "}"), UInt8(ascii: "@")].contains(sign)
            }
        }
    }

    /// A run of text without a declaration.
    private struct IdleRun {
        static let tooLong = "thousands of words and symbols in sequence declare nothing"

        private var (outside, all, unseparated) = (0, 0, 0)
        private var (words, behindWords) = (0, 0)
        private var depth = 0
        /// Whether it is among the members of a type, where the parser looks through all bodies that follow.
        private let isOfMembers: Bool
        /// Whether the last declaration is a type, whose body is to come.
        private(set) var declaresType = false

        init(isOfMembers: Bool = false) { self.isOfMembers = isOfMembers }

        var isTooLong: Bool {
            outside > IdleLimit.outside || all > IdleLimit.all
                || unseparated > IdleLimit.unseparated || behindWords > IdleLimit.behindWords
        }

        /// Restarts at a declaration, which may be in brackets.
        mutating func restart(declaresType: Bool) {
            (outside, all, unseparated) = (0, 0, 0)
            (words, behindWords) = (0, 0)
            self.declaresType = declaresType
        }

        mutating func passBody(_ count: Int) {
            if isOfMembers { pass(count) }
            declaresType = false
        }

        mutating func pass(_ count: Int) { behindWords += words * count }

        mutating func count(_ token: SourceTokens.Token) {
            switch token {
            case .sign(UInt8(ascii: "(")), .sign(UInt8(ascii: "[")): depth += 1
            case .sign(UInt8(ascii: ")")), .sign(UInt8(ascii: "]")): depth = max(0, depth - 1)
            case .sign(UInt8(ascii: ",")): unseparated = 0
            case .word where depth == 0: words += 1
            case .sign, .word: break
            }
            all += 1
            if depth == 0 { outside += 1 } else { unseparated += 1 }
        }
    }

    private let conditionWord = SourceTokens.hash(of: "#if")
    private let conditionEnd = SourceTokens.hash(of: "#endif")
    private let switchWord = SourceTokens.hash(of: "switch")
    private let caseWords = Set(["case", "default", "#if"].map { SourceTokens.hash(of: $0) })

    /// The words that begin declarations, by their hashes.
    let declaringWords = Set(
        [
            "actor", "associatedtype", "case", "class", "deinit", "enum", "extension", "func",
            "import", "init", "let", "protocol", "struct", "subscript", "typealias", "var",
        ].map { SourceTokens.hash(of: $0) }
    )

    /// The words that begin types.
    private let typeWords = Set(
        ["actor", "class", "enum", "extension", "protocol", "struct"].map {
            SourceTokens.hash(of: $0)
        }
    )

    /// The tokens of a file that its shape depends on, without comments and texts.
    struct SourceTokens {
        enum Token: Equatable {
            /// A name, keyword, directive or number, by its hash.
            case word(UInt64)
            case sign(UInt8)

            static func named(_ word: String) -> Token { .word(hash(of: word)) }
        }

        private let bytes: [UInt8]
        private(set) var place = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        static func hash(of word: String) -> UInt64 { word.utf8.reduce(0, hash) }

        private static func hash(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
            (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }

        mutating func next() -> Token? {
            while place < bytes.count {
                let byte = bytes[place]
                let isDirective = byte == UInt8(ascii: "#") && (follows("#if") || follows("#endif"))
                if isDirective || Self.isWord(byte) { return word() }
                place += 1
                switch byte {
                case 0...0x20: continue
                case UInt8(ascii: "/") where follows("/"): skip(to: "\n")
                case UInt8(ascii: "/") where follows("*"): skip(to: "*/")
                case UInt8(ascii: "\"") where follows("\"\""): skip(to: "\"\"\"")
                case UInt8(ascii: "\""): skipText()
                default: return .sign(byte)
                }
            }
            return nil
        }

        private static func isWord(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
                true
            default: false
            }
        }

        private mutating func word() -> Token {
            var hash: UInt64 = 0
            repeat {
                hash = Self.hash(hash, bytes[place])
                place += 1
            } while place < bytes.count && Self.isWord(bytes[place])
            return .word(hash)
        }

        private func follows(_ text: StaticString) -> Bool {
            text.withUTF8Buffer { bytes[place...].starts(with: $0) }
        }

        private mutating func skip(to end: StaticString) {
            place += end.utf8CodeUnitCount - 1
            while place < bytes.count, !follows(end) { place += 1 }
            place += end.utf8CodeUnitCount
        }

        /// Skips the rest of a text in its line.
        private mutating func skipText() {
            while place < bytes.count, bytes[place] != UInt8(ascii: "\n") {
                let byte = bytes[place]
                place += byte == UInt8(ascii: "\\") ? 2 : 1
                if byte == UInt8(ascii: "\"") { return }
            }
        }
    }
#endif

extension Predicate {
    /// Parses a predicate format string without placeholders.
    ///
    /// Collection operators in key paths stay as they are written, as in archived predicates.
    package init(parsing text: String) throws(PredicateSyntaxError) {
        var parser = try PredicateParser(text)
        self = try parser.wholePredicate()
    }
}

extension PredicateExpression {
    /// Parses an expression format string without placeholders.
    ///
    /// Collection operators become functions as in ``withCollectionFunctions``, so that `description` is the text in
    /// version hashes.
    package init(parsing text: String) throws(PredicateSyntaxError) {
        var parser = try PredicateParser(text)
        self = try parser.wholeExpression().withCollectionFunctions
    }
}

/// Reads tokens from left to right; the next token decides each alternative, so the time is linear.
struct PredicateParser {
    /// What an opening parenthesis can lead to, depending on its content.
    enum Node {
        case predicate(Predicate)
        case expression(PredicateExpression)
    }

    private let tokens: [PlacedPredicateToken]
    private var index = 0
    private var depth = 0
    private var links = 0

    init(_ text: String) throws(PredicateSyntaxError) {
        tokens = try PredicateLexer.tokens(of: text)
    }

    mutating func wholePredicate() throws(PredicateSyntaxError) -> Predicate {
        let predicate = try predicate()
        guard current == .end else { throw unexpected("the end") }
        return predicate
    }

    mutating func wholeExpression() throws(PredicateSyntaxError) -> PredicateExpression {
        let expression = try expression()
        guard current == .end else { throw unexpected("the end") }
        return expression
    }

    mutating func predicate() throws(PredicateSyntaxError) -> Predicate {
        let node = try disjunction()
        return try asPredicate(node)
    }

    mutating func disjunction() throws(PredicateSyntaxError) -> Node {
        let first = try conjunction()
        guard current.isKeyword("OR") || current == .sign("||") else { return first }
        var predicates = [try asPredicate(first)]
        while current.isKeyword("OR") || current == .sign("||") {
            advance()
            let next = try conjunction()
            predicates.append(try asPredicate(next))
        }
        return .predicate(.or(predicates))
    }

    private mutating func conjunction() throws(PredicateSyntaxError) -> Node {
        let first = try negation()
        guard current.isKeyword("AND") || current == .sign("&&") else { return first }
        var predicates = [try asPredicate(first)]
        while current.isKeyword("AND") || current == .sign("&&") {
            advance()
            let next = try negation()
            predicates.append(try asPredicate(next))
        }
        return .predicate(.and(predicates))
    }

    private mutating func negation() throws(PredicateSyntaxError) -> Node {
        guard current.isKeyword("NOT") || current == .sign("!") else { return try comparison() }
        advance()
        try enter()
        defer { leave() }
        let node = try negation()
        return .predicate(.not(try asPredicate(node)))
    }

    private mutating func comparison() throws(PredicateSyntaxError) -> Node {
        let modifier = modifierKeyword()
        if modifier != nil { advance() }
        let left = try operand()
        if case .predicate = left {
            guard modifier == nil else { throw unexpected("an expression", atPrevious: true) }
            return left
        }
        guard let comparison = comparisonOperator() else {
            guard modifier == nil else { throw unexpected("an operator") }
            return left
        }
        advance()
        let options = try comparisonOptions()
        let right = try expression()
        let result = Predicate.comparison(
            PredicateComparison(
                try asExpression(left),
                comparison,
                right,
                modifier: modifier == "ALL" ? .all : modifier == nil ? .direct : .any,
                options: options
            )
        )
        return .predicate(modifier == "NONE" ? .not(result) : result)
    }

    private func modifierKeyword() -> String? {
        ["ANY", "SOME", "ALL", "NONE"].first { current.isKeyword($0) }
    }

    private func comparisonOperator() -> PredicateComparison.Operator? {
        switch current {
        case .sign("="), .sign("=="): .equal
        case .sign("!="), .sign("<>"): .notEqual
        case .sign("<"): .lessThan
        case .sign("<="), .sign("=<"): .lessThanOrEqual
        case .sign(">"): .greaterThan
        case .sign(">="), .sign("=>"): .greaterThanOrEqual
        case .word(let word):
            PredicateComparison.Operator.allCases.first { $0.text == word.uppercased() }
        default: nil
        }
    }

    private mutating func comparisonOptions()
        throws(PredicateSyntaxError) -> PredicateComparison.Options
    {
        guard current == .sign("[") else { return [] }
        advance()
        guard case .word(let word) = current else { throw unexpected("options as 'cd'") }
        var options: PredicateComparison.Options = []
        for letter in word.lowercased() {
            switch letter {
            case "c": options.insert(.caseInsensitive)
            case "d": options.insert(.diacriticInsensitive)
            case "n": options.insert(.normalized)
            case "l": options.insert(.localeSensitive)
            default: throw unexpected("options with the letters c, d, n and l")
            }
        }
        advance()
        try expect("]")
        return options
    }

    /// The most nested parentheses, and the most arithmetic signs in one text.
    ///
    /// Both bound the height of the tree, which other code walks recursively.
    private static let greatestDepth = 64
    private static let greatestLinkCount = 500

    var current: PredicateToken { tokens[index].token }

    var following: PredicateToken { tokens[min(index + 1, tokens.count - 1)].token }

    var offset: Int { tokens[index].range.lowerBound }

    var touchesFollowing: Bool {
        index + 1 < tokens.count
            && tokens[index].range.upperBound == tokens[index + 1].range.lowerBound
    }

    mutating func advance() { if index < tokens.count - 1 { index += 1 } }

    mutating func expect(_ sign: String) throws(PredicateSyntaxError) {
        guard current == .sign(sign) else { throw unexpected("'\(sign)'") }
        advance()
    }

    mutating func enter() throws(PredicateSyntaxError) {
        depth += 1
        guard depth <= Self.greatestDepth else {
            throw PredicateSyntaxError(reason: .tooComplex, offset: offset)
        }
    }

    mutating func leave() { depth -= 1 }

    mutating func link() throws(PredicateSyntaxError) {
        links += 1
        guard links <= Self.greatestLinkCount else {
            throw PredicateSyntaxError(reason: .tooComplex, offset: offset)
        }
    }

    func asPredicate(_ node: Node) throws(PredicateSyntaxError) -> Predicate {
        guard case .predicate(let predicate) = node else {
            throw unexpected("a comparison operator")
        }
        return predicate
    }

    func asExpression(_ node: Node) throws(PredicateSyntaxError) -> PredicateExpression {
        guard case .expression(let expression) = node else {
            throw unexpected("an expression, not a predicate, before this")
        }
        return expression
    }

    func unexpected(_ expected: String, atPrevious: Bool = false) -> PredicateSyntaxError {
        let place = atPrevious ? max(0, index - 1) : index
        return switch tokens[place].token {
        case .end:
            PredicateSyntaxError(
                reason: .unexpectedEnd(expected: expected),
                offset: tokens[place].range.lowerBound
            )
        case let token:
            PredicateSyntaxError(
                reason: .unexpected(text(of: token), expected: expected),
                offset: tokens[place].range.lowerBound
            )
        }
    }

    private func text(of token: PredicateToken) -> String {
        switch token {
        case .word(let text), .operatorKey(let text), .sign(let text), .string(let text): text
        case .quotedWord(let text): "#" + text
        case .variable(let text): "$" + text
        case .integer(let value): String(value)
        case .double(let value): String(value)
        case .end: ""
        }
    }
}

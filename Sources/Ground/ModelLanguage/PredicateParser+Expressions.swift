extension PredicateParser {
    mutating func expression() throws(PredicateSyntaxError) -> PredicateExpression {
        let node = try operand()
        return try asExpression(node)
    }

    /// Reads an expression, or a predicate if its parentheses contain one.
    ///
    /// The relative precedence of bitwise and arithmetic operators is undocumented, so mixing them without parentheses
    /// leaves a sign over, which is an error.
    mutating func operand() throws(PredicateSyntaxError) -> Node {
        let first = try unary()
        guard case .expression(var left) = first else { return first }
        guard case .sign(let sign) = current, let selector = bitwiseSelectors[sign] else {
            return .expression(try sum(startingWith: left))
        }
        repeat {
            try link()
            advance()
            let right = try unaryExpression()
            left = .function(operand: nil, selector: selector, arguments: [left, right])
        } while current == .sign(sign) && sign.count == 1
        return .expression(left)
    }

    private mutating func sum(
        startingWith first: PredicateExpression
    ) throws(PredicateSyntaxError) -> PredicateExpression {
        var left = try product(startingWith: first)
        while case .sign(let sign) = current, let selector = sumSelectors[sign] {
            try link()
            advance()
            let start = try unaryExpression()
            let right = try product(startingWith: start)
            left = .function(operand: nil, selector: selector, arguments: [left, right])
        }
        return left
    }

    private mutating func product(
        startingWith first: PredicateExpression
    ) throws(PredicateSyntaxError) -> PredicateExpression {
        var left = try power(startingWith: first)
        while case .sign(let sign) = current, let selector = productSelectors[sign] {
            try link()
            advance()
            let start = try unaryExpression()
            let right = try power(startingWith: start)
            left = .function(operand: nil, selector: selector, arguments: [left, right])
        }
        return left
    }

    private mutating func power(
        startingWith base: PredicateExpression
    ) throws(PredicateSyntaxError) -> PredicateExpression {
        guard current == .sign("**") else { return base }
        try link()
        advance()
        let exponent = try unaryExpression()
        return .function(operand: nil, selector: "raise:toPower:", arguments: [base, exponent])
    }

    private mutating func unaryExpression() throws(PredicateSyntaxError) -> PredicateExpression {
        let node = try unary()
        return try asExpression(node)
    }

    private mutating func unary() throws(PredicateSyntaxError) -> Node {
        switch current {
        case .sign("-"):
            advance()
            return .expression(.constant(try number(isNegative: true)))
        case .sign("~"):
            advance()
            try enter()
            defer { leave() }
            let argument = try unaryExpression()
            return .expression(
                .function(operand: nil, selector: "onesComplement:", arguments: [argument])
            )
        default: return try postfix()
        }
    }

    private mutating func number(
        isNegative: Bool
    ) throws(PredicateSyntaxError) -> PredicateExpression.Constant {
        let constant: PredicateExpression.Constant
        switch current {
        case .double(let value): constant = .double(isNegative ? -value : value)
        case .integer(let value):
            if isNegative, value == UInt64(Int64.max) + 1 {
                constant = .integer(.min)
            } else if let value = Int64(exactly: value) {
                constant = .integer(isNegative ? -value : value)
            } else {
                throw PredicateSyntaxError(reason: .invalidNumber(String(value)), offset: offset)
            }
        default: throw unexpected("a number")
        }
        advance()
        return constant
    }

    private mutating func postfix() throws(PredicateSyntaxError) -> Node {
        let first = try primary()
        guard case .expression(var expression) = first else { return first }
        while true {
            if current == .sign(".") {
                let keys = try keys()
                expression =
                    if case .keyPath(let operand, let path) = expression {
                        .keyPath(operand, path + "." + keys)
                    } else { .keyPath(expression, keys) }
            } else if current == .sign("[") {
                try link()
                advance()
                let index = try index()
                try expect("]")
                expression = .function(
                    operand: nil,
                    selector: "objectFrom:withIndex:",
                    arguments: [expression, index]
                )
            } else {
                return .expression(expression)
            }
        }
    }

    private mutating func keys() throws(PredicateSyntaxError) -> String {
        var keys: [String] = []
        while current == .sign(".") {
            advance()
            keys.append(try key())
        }
        return keys.joined(separator: ".")
    }

    private mutating func key() throws(PredicateSyntaxError) -> String {
        switch current {
        case .word(let key), .quotedWord(let key), .operatorKey(let key):
            advance()
            return key
        default: throw unexpected("a key")
        }
    }

    private mutating func index() throws(PredicateSyntaxError) -> PredicateExpression {
        for symbol in PredicateExpression.Symbol.allCases
        where current.isKeyword(symbol.rawValue) && following == .sign("]") {
            advance()
            return .symbol(symbol)
        }
        try enter()
        defer { leave() }
        return try expression()
    }

    private mutating func primary() throws(PredicateSyntaxError) -> Node {
        switch current {
        case .sign("("):
            advance()
            try enter()
            defer { leave() }
            let node = try disjunction()
            try expect(")")
            return node
        case .sign("{"):
            advance()
            return .expression(.aggregate(try arguments(closedBy: "}")))
        case .integer, .double: return .expression(.constant(try number(isNegative: false)))
        case .string(let text):
            advance()
            return .expression(.constant(.string(text)))
        case .variable(let name):
            advance()
            return .expression(.variable(name))
        case .quotedWord(let key), .operatorKey(let key):
            advance()
            return .expression(.keyPath(key))
        case .word(let word): return try primary(word)
        case .sign, .end: throw unexpected("an expression")
        }
    }

    private mutating func primary(_ word: String) throws(PredicateSyntaxError) -> Node {
        if following == .sign("(") {
            if let call = try keywordCall(word.uppercased()) { return .expression(call) }
            return .expression(try functionCall())
        }
        if following == .sign(":") { return .expression(try functionCall()) }
        if let constant = keywordConstants[word.uppercased()] {
            advance()
            return .expression(.constant(constant))
        }
        switch word.uppercased() {
        case "TRUEPREDICATE", "FALSEPREDICATE":
            advance()
            return .predicate(.constant(word.uppercased() == "TRUEPREDICATE"))
        case "SELF":
            advance()
            return .expression(.evaluatedObject)
        case let keyword where reservedWords.contains(keyword):
            throw unexpected("an expression (a key of this name is written #\(word))")
        default:
            advance()
            return .expression(.keyPath(word))
        }
    }

    private mutating func keywordCall(
        _ keyword: String
    ) throws(PredicateSyntaxError) -> PredicateExpression? {
        switch keyword {
        case "FUNCTION": try parenthesized(Self.customFunction)
        case "SUBQUERY": try parenthesized(Self.subquery)
        case "TERNARY": try parenthesized(Self.ternary)
        case "CAST": try parenthesized(Self.cast)
        default: nil
        }
    }

    private mutating func parenthesized(
        _ content: (inout PredicateParser) throws(PredicateSyntaxError) -> PredicateExpression
    ) throws(PredicateSyntaxError) -> PredicateExpression {
        advance()
        advance()
        try enter()
        defer { leave() }
        let expression = try content(&self)
        try expect(")")
        return expression
    }

    private static func customFunction(
        _ parser: inout PredicateParser
    ) throws(PredicateSyntaxError) -> PredicateExpression {
        let operand = try parser.expression()
        try parser.expect(",")
        let place = parser.offset
        guard case .string(let selector) = parser.current else {
            throw parser.unexpected("the selector as a string")
        }
        parser.advance()
        var arguments: [PredicateExpression] = []
        while parser.current == .sign(",") {
            parser.advance()
            arguments.append(try parser.expression())
        }
        try checkCount(of: arguments, selector: selector, offset: place)
        return .function(operand: operand, selector: selector, arguments: arguments)
    }

    private static func subquery(
        _ parser: inout PredicateParser
    ) throws(PredicateSyntaxError) -> PredicateExpression {
        let collection = try parser.expression()
        try parser.expect(",")
        guard case .variable(let variable) = parser.current else {
            throw parser.unexpected("a variable as $x")
        }
        parser.advance()
        try parser.expect(",")
        let predicate = try parser.predicate()
        return .subquery(collection: collection, variable: variable, predicate: predicate)
    }

    private static func ternary(
        _ parser: inout PredicateParser
    ) throws(PredicateSyntaxError) -> PredicateExpression {
        let condition = try parser.predicate()
        try parser.expect(",")
        let first = try parser.expression()
        try parser.expect(",")
        let second = try parser.expression()
        return .ternary(condition, first, second)
    }

    private static func cast(
        _ parser: inout PredicateParser
    ) throws(PredicateSyntaxError) -> PredicateExpression {
        let value = try parser.expression()
        try parser.expect(",")
        guard case .string(let type) = parser.current else {
            throw parser.unexpected("the type as a string")
        }
        parser.advance()
        if type == "NSDate" {
            switch value {
            case .constant(.double(let seconds)): return .constant(.date(seconds))
            case .constant(.integer(let seconds)): return .constant(.date(Double(seconds)))
            default: break
            }
        }
        return .function(
            operand: nil,
            selector: "castObject:toType:",
            arguments: [value, .constant(.string(type))]
        )
    }

    private mutating func functionCall() throws(PredicateSyntaxError) -> PredicateExpression {
        let start = offset
        var selector = ""
        while case .word(let word) = current, following == .sign(":"), touchesFollowing {
            selector += word + ":"
            advance()
            advance()
        }
        if selector.isEmpty, case .word(let word) = current {
            selector = word
            advance()
        }
        try expect("(")
        let arguments = try arguments(closedBy: ")")
        try Self.checkCount(of: arguments, selector: selector, offset: start)
        return .function(operand: nil, selector: selector, arguments: arguments)
    }

    private static func checkCount(
        of arguments: [PredicateExpression],
        selector: String,
        offset: Int
    ) throws(PredicateSyntaxError) {
        let expected = selector.utf8.count { $0 == UInt8(ascii: ":") }
        guard expected == arguments.count else {
            let reason = PredicateSyntaxError.Reason.argumentCount(
                function: selector,
                expected: expected,
                found: arguments.count
            )
            throw PredicateSyntaxError(reason: reason, offset: offset)
        }
    }

    private mutating func arguments(
        closedBy sign: String
    ) throws(PredicateSyntaxError) -> [PredicateExpression] {
        try enter()
        defer { leave() }
        var arguments: [PredicateExpression] = []
        guard current != .sign(sign) else {
            advance()
            return arguments
        }
        arguments.append(try expression())
        while current == .sign(",") {
            advance()
            arguments.append(try expression())
        }
        try expect(sign)
        return arguments
    }
}

private let keywordConstants: [String: PredicateExpression.Constant] = [
    "TRUE": .boolean(true), "YES": .boolean(true), "FALSE": .boolean(false), "NO": .boolean(false),
    "NIL": .null, "NULL": .null,
]

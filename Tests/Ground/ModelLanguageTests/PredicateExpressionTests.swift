import ModelLanguage
import Testing

struct PredicateExpressionTests {
    /// Expressions and their printed text; the first ones are known from version hashes.
    static let texts: [(String, String)] = [
        ("canonical:(title)", "canonical:(title)"),
        ("now()", "now()"),
        ("chat.serverId", "chat.serverId"),
        ("pages.@count", "count:(pages)"),
        ("book.pages.@count", "count:(book.pages)"),
        ("pages.@sum.size", "sum:(pages.size)"),
        ("pages.@avg.size", "average:(pages.size)"),
        ("pages.@max.size", "max:(pages.size)"),
        ("pages.@min.size", "min:(pages.size)"),
        ("pages.@unknown.size", "pages.@unknown.size"),
        ("@count", "@count"),
        ("uppercase:( canonical:( a.b ) )", "uppercase:(canonical:(a.b))"),
        ("1 + 2 * 3", "1 + 2 * 3"),
        ("(1 + 2) * 3", "(1 + 2) * 3"),
        ("a - (b - c)", "a - (b - c)"),
        ("a - b - c", "a - b - c"),
        ("a / (b * c)", "a / (b * c)"),
        ("(a ** 2) ** b", "(a ** 2) ** b"),
        ("~a & (b | c)", "~a & (b | c)"),
        ("a << 2", "a << 2"),
        ("-1", "-1"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("0xFF", "255"),
        ("1.50", "1.5"),
        ("-2e3", "-2000.0"),
        (".5", "0.5"),
        ("'it\\'s \"quoted\"'", "\"it's \\\"quoted\\\"\""),
        ("{1, 'a', {TRUE, no}, NULL}", "{1, \"a\", {TRUE, FALSE}, nil}"),
        ("$source.name", "$source.name"),
        (
            "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'A', $source.b)",
            "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", "
                + "\"A\", $source.b)"
        ),
        ("distanceToLocation:fromLocation:(a, b)", "distanceToLocation:fromLocation:(a, b)"),
        ("CAST(a, 'NSNumber')", "CAST(a, \"NSNumber\")"),
        ("(1)[0]", "(1)[0]"),
    ]

    @Test(arguments: texts)
    func `an expression prints its canonical text and reads it back`(
        text: String,
        canonical: String
    ) throws {
        let expression = try PredicateExpression(parsing: text)
        #expect(expression.description == canonical)
        #expect(try PredicateExpression(parsing: canonical) == expression)
    }

    @Test func `arithmetic binds to the left`() throws {
        let difference = PredicateExpression.function(
            operand: nil,
            selector: "from:subtract:",
            arguments: [.keyPath("a"), .keyPath("b")]
        )
        #expect(
            try PredicateExpression(parsing: "a - b - c")
                == .function(
                    operand: nil,
                    selector: "from:subtract:",
                    arguments: [difference, .keyPath("c")]
                )
        )
    }

    @Test func `a predicate is no expression`() {
        #expect(throws: PredicateSyntaxError.self) { try PredicateExpression(parsing: "a == 1") }
        #expect(throws: PredicateSyntaxError.self) { try PredicateExpression(parsing: "(a == 1)") }
        #expect(throws: PredicateSyntaxError.self) {
            try PredicateExpression(parsing: "(a == 1) + 2")
        }
    }
}

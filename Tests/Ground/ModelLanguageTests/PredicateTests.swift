import ModelLanguage
import Testing

struct PredicateTests {
    static let texts: [(String, String)] = [
        ("uuid == $UUID", "uuid == $UUID"),
        ("true == true", "TRUE == TRUE"),
        ("oneToOne.name=$NAME", "oneToOne.name == $NAME"),
        (
            "oneToOne.name == $NAME OR string == $NEEDLE",
            "oneToOne.name == $NAME OR string == $NEEDLE"
        ),
        ("a <> 1", "a != 1"),
        ("a =< 1 && b => 2", "a <= 1 AND b >= 2"),
        ("a<1||b>2", "a < 1 OR b > 2"),
        ("(a < 1 or b > 2) and c != nil", "(a < 1 OR b > 2) AND c != nil"),
        ("a < 1 or b > 2 and c = 3", "a < 1 OR (b > 2 AND c == 3)"),
        ("not a == 1", "NOT a == 1"),
        ("!(a == 1 and b == 2)", "NOT (a == 1 AND b == 2)"),
        ("name contains[cd] 'x'", "name CONTAINS[cd] \"x\""),
        ("name BEGINSWITH [ c ] 'x'", "name BEGINSWITH[c] \"x\""),
        ("name ENDSWITH[n] 'x'", "name ENDSWITH[n] \"x\""),
        ("name LIKE 'a*'", "name LIKE \"a*\""),
        ("name MATCHES '\\\\d+'", "name MATCHES \"\\\\d+\""),
        ("age BETWEEN {1, 10}", "age BETWEEN {1, 10}"),
        ("age IN $AGES", "age IN $AGES"),
        ("name IN {}", "name IN {}"),
        ("ANY pages.size > 3", "ANY pages.size > 3"),
        ("SOME pages.size > 3", "ANY pages.size > 3"),
        ("ALL pages.size > 3", "ALL pages.size > 3"),
        ("NONE pages.size > 3", "NOT ANY pages.size > 3"),
        ("pages.@count > 3", "pages.@count > 3"),
        ("pages.@sum.size > 3.5", "pages.@sum.size > 3.5"),
        ("TRUEPREDICATE", "TRUEPREDICATE"),
        ("falsepredicate", "FALSEPREDICATE"),
        ("SELF == $x.name", "SELF == $x.name"),
        ("self.name == null", "name == nil"),
        ("#in == 1 AND a.in == 2", "#in == 1 AND a.in == 2"),
        ("first == 1 AND last == 2", "first == 1 AND last == 2"),
        (
            "SUBQUERY(pages, $p, $p.size > 3 AND $p.read == YES).@count > 0",
            "SUBQUERY(pages, $p, $p.size > 3 AND $p.read == TRUE).@count > 0"
        ),
        ("pages[FIRST].size == pages[3].size", "pages[FIRST].size == pages[3].size"),
        ("TERNARY(a == 1, 2, 3) == b", "TERNARY(a == 1, 2, 3) == b"),
        ("date > CAST(12.5, 'NSDate')", "date > CAST(12.5, \"NSDate\")"),
        ("(a) == ((b))", "a == b"),
        ("größe == 'ß'", "größe == \"ß\""),
    ]

    @Test(arguments: texts)
    func `a predicate prints its canonical text and reads it back`(
        text: String,
        canonical: String
    ) throws {
        let predicate = try Predicate(parsing: text)
        #expect(predicate.description == canonical)
        #expect(try Predicate(parsing: canonical) == predicate)
    }

    @Test func `and binds more strongly than or`() throws {
        let comparisons = [("a", 1), ("b", 2), ("c", 3)].map { name, value in
            Predicate.comparison(
                PredicateComparison(.keyPath(name), .equal, .constant(.integer(Int64(value))))
            )
        }
        #expect(
            try Predicate(parsing: "a = 1 OR b = 2 AND c = 3")
                == .or([comparisons[0], .and([comparisons[1], comparisons[2]])])
        )
    }

    static let errors = [
        ("", 0, "unexpectedEnd"),
        ("name", 4, "unexpectedEnd"),
        ("name ==", 7, "unexpectedEnd"),
        ("name == %@", 8, "placeholder"),
        ("%K == 1", 0, "placeholder"),
        ("name == 'x", 8, "unterminatedString"),
        ("name MATCHES '\\d'", 14, "unknownEscape"),
        ("a == 1 b", 7, "unexpected"),
        ("a == 99999999999999999999", 5, "invalidNumber"),
        ("a == 9223372036854775808", 5, "invalidNumber"),
        ("a == 12abc", 5, "invalidNumber"),
        ("a == ?", 5, "unknownCharacter"),
        ("a ==[x] 'b'", 5, "unexpected"),
        ("(a == 1", 7, "unexpectedEnd"),
        ("a == 1 AND 5", 12, "unexpectedEnd"),
        ("ANY a", 5, "unexpectedEnd"),
        ("in == 1", 0, "unexpected"),
        ("f:(1, 2) == 3", 0, "argumentCount"),
        ("a ** 2 ** 3 == 1", 7, "unexpected"),
        ("a + b & c == 1", 6, "unexpected"),
        ("-a == 1", 1, "unexpected"),
    ]

    @Test(arguments: errors)
    func `a text that is no predicate is refused at its place`(
        text: String,
        offset: Int,
        reason: String
    ) {
        let error = #expect(throws: PredicateSyntaxError.self) { try Predicate(parsing: text) }
        #expect(error?.offset == offset)
        #expect(
            error.map { "\($0.reason)".hasPrefix(reason) } == true,
            "\(String(describing: error))"
        )
    }

    /// The beginning, the repeated part, and the end.
    static let pathological: [(String, String, String)] = [
        ("", "(", ""),
        ("", "NOT ", "a == 1"),
        ("", "{", ""),
        ("a == ", "~", "1"),
        ("a == 1", "+1", ""),
        ("a", "[0]", " == 1"),
        ("", "SUBQUERY(a, $x, ", ""),
    ]

    @Test(arguments: pathological)
    func `deep nesting is refused instead of exhausting the stack`(
        prefix: String,
        repeated: String,
        suffix: String
    ) throws {
        let text = prefix + String(repeating: repeated, count: 20_000) + suffix
        let error = #expect(throws: PredicateSyntaxError.self) { try Predicate(parsing: text) }
        #expect(error?.reason == .tooComplex)
    }

    @Test func `long flat texts are read`() throws {
        let count = 5_000
        let text = Array(repeating: "a == 1", count: count).joined(separator: " OR ")
        guard case .or(let predicates) = try Predicate(parsing: text) else {
            Issue.record("no disjunction")
            return
        }
        #expect(predicates.count == count)
        let path = Array(repeating: "a", count: count).joined(separator: ".")
        #expect(try PredicateExpression(parsing: path) == .keyPath(path))
    }

    @Test func `no prefix of a text and no text with a character removed traps`() {
        for (text, _) in Self.texts {
            for length in 0..<text.count {
                _ = try? Predicate(parsing: String(text.prefix(length)))
                _ = try? Predicate(
                    parsing: String(text.prefix(length) + text.dropFirst(length + 1))
                )
            }
        }
    }
}

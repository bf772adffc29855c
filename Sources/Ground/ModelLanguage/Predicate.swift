/// A predicate in Apple's predicate format language.
///
/// The supported grammar, keywords in any case, white space free between words:
///
/// ```
/// predicate    = and { ("OR" | "||") and }
/// and          = not { ("AND" | "&&") not }
/// not          = ("NOT" | "!") not | "(" predicate ")" | "TRUEPREDICATE" | "FALSEPREDICATE"
///              | [ "ANY" | "SOME" | "ALL" | "NONE" ] expression operator [ options ] expression
/// operator     = "=" | "==" | "!=" | "<>" | "<" | "<=" | "=<" | ">" | ">=" | "=>" | "BETWEEN" | "IN"
///              | "CONTAINS" | "BEGINSWITH" | "ENDSWITH" | "LIKE" | "MATCHES"
/// options      = "[" { "c" | "d" | "n" | "l" } "]"
/// expression   = sum | unary ("&" unary)+ | unary ("|" unary)+ | unary ("^" unary)+
///              | unary "<<" unary | unary ">>" unary
/// sum          = product { ("+" | "-") product }
/// product      = power { ("*" | "/") power }
/// power        = unary [ "**" unary ]
/// unary        = [ "-" ] number | "~" unary | postfix
/// postfix      = primary { "." key | "[" ( "FIRST" | "LAST" | "SIZE" | expression ) "]" }
/// primary      = "(" expression ")" | string | "TRUE" | "YES" | "FALSE" | "NO" | "NIL" | "NULL"
///              | "SELF" | "$" name | key | name "(" ")" | name ":" { name ":" } "(" arguments ")"
///              | "{" [ arguments ] "}" | "FUNCTION" "(" expression "," string { "," expression } ")"
///              | "SUBQUERY" "(" expression "," "$" name "," predicate ")"
///              | "TERNARY" "(" predicate "," expression "," expression ")"
///              | "CAST" "(" expression "," string ")"
/// key          = [ "@" | "#" ] name
/// ```
///
/// Placeholders (`%@`, `%K`) are errors, and so is everything else: the parser never guesses.
package indirect enum Predicate: Sendable, Hashable {
    /// `TRUEPREDICATE` or `FALSEPREDICATE`.
    case constant(Bool)
    case comparison(PredicateComparison)
    case and([Predicate])
    case or([Predicate])
    case not(Predicate)
}

package struct PredicateComparison: Sendable, Hashable {
    /// How many of the objects of a to-many left side must satisfy the comparison; raw values are Apple's
    /// `NSComparisonPredicate.Modifier`.
    package enum Modifier: Int, Sendable, Hashable, CaseIterable {
        case direct = 0
        case all = 1
        case any = 2
    }

    /// The operator; raw values are Apple's `NSComparisonPredicate.Operator`.
    package enum Operator: Int, Sendable, Hashable, CaseIterable {
        case lessThan = 0
        case lessThanOrEqual = 1
        case greaterThan = 2
        case greaterThanOrEqual = 3
        case equal = 4
        case notEqual = 5
        /// `MATCHES`, a regular expression.
        case matches = 6
        /// `LIKE`, a pattern with `?` and `*`.
        case like = 7
        case beginsWith = 8
        case endsWith = 9
        case `in` = 10
        case contains = 99
        case between = 100

        package var text: String {
            switch self {
            case .lessThan: "<"
            case .lessThanOrEqual: "<="
            case .greaterThan: ">"
            case .greaterThanOrEqual: ">="
            case .equal: "=="
            case .notEqual: "!="
            case .matches: "MATCHES"
            case .like: "LIKE"
            case .beginsWith: "BEGINSWITH"
            case .endsWith: "ENDSWITH"
            case .in: "IN"
            case .contains: "CONTAINS"
            case .between: "BETWEEN"
            }
        }
    }

    /// How strings are compared; raw values are Apple's `NSComparisonPredicate.Options`.
    package struct Options: OptionSet, Sendable, Hashable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        /// `c`: upper and lower case are equal.
        package static let caseInsensitive = Options(rawValue: 1)
        /// `d`: letters with and without diacritics are equal.
        package static let diacriticInsensitive = Options(rawValue: 2)
        /// `n`: the strings need no preparation before comparison.
        package static let normalized = Options(rawValue: 4)
        /// `l`: as the user's language compares.
        package static let localeSensitive = Options(rawValue: 8)
    }

    package var left: PredicateExpression
    package var `operator`: Operator
    package var right: PredicateExpression
    package var modifier: Modifier
    package var options: Options

    package init(
        _ left: PredicateExpression,
        _ operator: Operator,
        _ right: PredicateExpression,
        modifier: Modifier = .direct,
        options: Options = []
    ) {
        self.left = left
        self.operator = `operator`
        (self.right, self.modifier, self.options) = (right, modifier, options)
    }
}

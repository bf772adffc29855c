/// A predicate as Apple's predicate format language states it.
///
/// The grammar that is understood, keywords in any case, white space free between words:
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
/// Placeholders (`%@`, `%K`) are errors, and so is everything else: nothing is guessed.
package indirect enum Predicate: Sendable, Hashable {
    /// `TRUEPREDICATE` or `FALSEPREDICATE`.
    case constant(Bool)
    /// A comparison of two expressions.
    case comparison(PredicateComparison)
    /// All of several predicates.
    case and([Predicate])
    /// At least one of several predicates.
    case or([Predicate])
    /// The opposite of a predicate.
    case not(Predicate)
}

/// A comparison of two expressions.
package struct PredicateComparison: Sendable, Hashable {
    /// How many of the objects of a to-many left side must satisfy the comparison.
    ///
    /// Raw values are Apple's `NSComparisonPredicate.Modifier`.
    package enum Modifier: Int, Sendable, Hashable, CaseIterable {
        /// The left side as a whole.
        case direct = 0
        /// Every object.
        case all = 1
        /// At least one object.
        case any = 2
    }

    /// What is compared; raw values are Apple's `NSComparisonPredicate.Operator`.
    package enum Operator: Int, Sendable, Hashable, CaseIterable {
        /// `<`.
        case lessThan = 0
        /// `<=`.
        case lessThanOrEqual = 1
        /// `>`.
        case greaterThan = 2
        /// `>=`.
        case greaterThanOrEqual = 3
        /// `==`.
        case equal = 4
        /// `!=`.
        case notEqual = 5
        /// `MATCHES`, a regular expression.
        case matches = 6
        /// `LIKE`, a pattern with `?` and `*`.
        case like = 7
        /// `BEGINSWITH`.
        case beginsWith = 8
        /// `ENDSWITH`.
        case endsWith = 9
        /// `IN`.
        case `in` = 10
        /// `CONTAINS`.
        case contains = 99
        /// `BETWEEN`.
        case between = 100

        /// The operator as Apple prints it.
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
        /// The bits.
        package let rawValue: Int

        /// Creates options from Apple's bits.
        package init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// `c`: upper and lower case are equal.
        package static let caseInsensitive = Options(rawValue: 1)
        /// `d`: letters with and without diacritics are equal.
        package static let diacriticInsensitive = Options(rawValue: 2)
        /// `n`: the strings need no preparation before they are compared.
        package static let normalized = Options(rawValue: 4)
        /// `l`: as the user's language compares.
        package static let localeSensitive = Options(rawValue: 8)
    }

    /// The left side.
    package var left: PredicateExpression
    /// The operator.
    package var `operator`: Operator
    /// The right side.
    package var right: PredicateExpression
    /// How many objects of the left side count.
    package var modifier: Modifier
    /// How strings are compared.
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
        self.right = right
        self.modifier = modifier
        self.options = options
    }
}

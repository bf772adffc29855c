/// An expression in Apple's predicate format language, whose grammar ``Predicate`` documents.
package indirect enum PredicateExpression: Sendable, Hashable {
    package enum Constant: Sendable, Hashable {
        case null
        case boolean(Bool)
        case integer(Int64)
        case double(Double)
        case string(String)
        /// A time, in seconds since 2001-01-01 00:00 UTC; only compiled models have one.
        case date(Double)
    }

    /// A word with a special meaning inside the brackets of an index.
    package enum Symbol: String, Sendable, Hashable, CaseIterable {
        case first = "FIRST"
        case last = "LAST"
        case size = "SIZE"
    }

    case constant(Constant)
    /// `SELF`, the object under evaluation.
    case evaluatedObject
    /// `$name`, by its name without the dollar sign.
    case variable(String)
    /// The value at a dotted path of keys of an expression; `evaluatedObject` when none is written.
    case keyPath(PredicateExpression, String)
    /// A function by its selector, such as `canonical:`, called on an operand where one is written.
    ///
    /// As in Apple's own expressions, these include arithmetic (`add:to:`) and indexes (`objectFrom:withIndex:`).
    case function(operand: PredicateExpression?, selector: String, arguments: [PredicateExpression])
    case aggregate([PredicateExpression])
    /// The objects of a collection that satisfy a predicate about a variable.
    case subquery(collection: PredicateExpression, variable: String, predicate: Predicate)
    case ternary(Predicate, PredicateExpression, PredicateExpression)
    case symbol(Symbol)

    package static func keyPath(_ path: String) -> PredicateExpression {
        .keyPath(.evaluatedObject, path)
    }

    /// The expression with collection operators as the equivalent functions.
    ///
    /// Core Data does this to derivation expressions (VersionHashes, "Derived attributes"): `pages.@count` becomes
    /// `count:(pages)`; `pages.@sum.size` becomes `sum:(pages.size)`, by analogy and not seen.
    package var withCollectionFunctions: PredicateExpression {
        switch self {
        case .keyPath(let operand, let path):
            collectionFunction(of: operand.withCollectionFunctions, path: path)
        case .function(let operand, let selector, let arguments):
            .function(
                operand: operand?.withCollectionFunctions,
                selector: selector,
                arguments: arguments.map(\.withCollectionFunctions)
            )
        case .aggregate(let elements): .aggregate(elements.map(\.withCollectionFunctions))
        case .constant, .evaluatedObject, .variable, .subquery, .ternary, .symbol: self
        }
    }
}

private func collectionFunction(
    of operand: PredicateExpression,
    path: String
) -> PredicateExpression {
    let selectors = [
        "@count": "count:", "@sum": "sum:", "@min": "min:", "@max": "max:", "@avg": "average:",
    ]
    let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard let index = keys.firstIndex(where: { $0.hasPrefix("@") }), index > 0,
        let selector = selectors[keys[index]],
        (keys[index] == "@count") == (index == keys.count - 1)
    else { return .keyPath(operand, path) }
    let rest = (keys[..<index] + keys[(index + 1)...]).joined(separator: ".")
    return .function(operand: nil, selector: selector, arguments: [.keyPath(operand, rest)])
}

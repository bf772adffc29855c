/// An expression as Apple's predicate format language states it.
///
/// ``Predicate`` documents the grammar.
package indirect enum PredicateExpression: Sendable, Hashable {
    /// A value that is known where the expression is written.
    package enum Constant: Sendable, Hashable {
        /// `nil`.
        case null
        /// `TRUE` or `FALSE`.
        case boolean(Bool)
        /// An integer.
        case integer(Int64)
        /// A number with decimals.
        case double(Double)
        /// A string.
        case string(String)
        /// A point in time, in seconds since 2001-01-01 00:00 UTC; only compiled models hold one.
        case date(Double)
    }

    /// A word with a meaning of its own inside the brackets of an index.
    package enum Symbol: String, Sendable, Hashable, CaseIterable {
        /// The first object.
        case first = "FIRST"
        /// The last object.
        case last = "LAST"
        /// The number of objects.
        case size = "SIZE"
    }

    /// A constant.
    case constant(Constant)
    /// `SELF`, the object that is looked at.
    case evaluatedObject
    /// `$name`, by its name without the dollar sign.
    case variable(String)
    /// The value at a dotted path of keys, read from an expression; `evaluatedObject` when none is written.
    case keyPath(PredicateExpression, String)
    /// A function by its selector, such as `canonical:`, called on an operand where one is written.
    ///
    /// Arithmetic is among them (`add:to:`), and so is an index (`objectFrom:withIndex:`), as in Apple's
    /// own expressions.
    case function(operand: PredicateExpression?, selector: String, arguments: [PredicateExpression])
    /// `{…}`, a list of expressions.
    case aggregate([PredicateExpression])
    /// The objects of a collection that satisfy a predicate about a variable.
    case subquery(collection: PredicateExpression, variable: String, predicate: Predicate)
    /// One of two expressions, chosen by a predicate.
    case ternary(Predicate, PredicateExpression, PredicateExpression)
    /// A symbolic index.
    case symbol(Symbol)

    /// Makes the expression that a path of keys of the evaluated object is.
    package static func keyPath(_ path: String) -> PredicateExpression {
        .keyPath(.evaluatedObject, path)
    }

    /// The expression with collection operators written as the functions that they stand for.
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

package import ModelLanguage
package import ObjectModel
import PropertyLists

extension ModelArchiver {
    package mutating func expression(
        _ expression: PredicateExpression,
        _ owner: String,
        _ source: SourceMark
    ) -> Reference {
        switch expression {
        case .evaluatedObject:
            return shared(.selfExpression, ["NSExpressionType": .plain(.integer(1))])
        case .constant(.null):
            return add(
                .constantExpression,
                [
                    "NSExpressionType": .plain(.integer(0)),
                    "NSConstantValueClassName": .reference(.null),
                ]
            )
        case .constant(let constant):
            return add(
                .constantExpression,
                [
                    "NSExpressionType": .plain(.integer(0)),
                    "NSConstantValue": .reference(value(of: constant)),
                ]
            )
        case .variable(let name):
            return add(
                .variableExpression,
                ["NSExpressionType": .plain(.integer(2)), "NSVariable": string(name)]
            )
        case .keyPath(let operand, let path): return keyPath(path, of: operand, owner, source)
        case .function(let operand, let selector, let arguments):
            return function(selector, of: operand, arguments, owner, source)
        case .aggregate(let elements):
            reportUnproven("a list in a predicate", owner, source)
            let references = elements.map { self.expression($0, owner, source) }
            return add(
                .aggregateExpression,
                [
                    "NSExpressionType": .plain(.integer(14)),
                    "NSCollection": .reference(collection(references, .array)),
                ]
            )
        case .subquery, .ternary, .symbol: return rareExpression(expression, owner, source)
        }
    }

    private mutating func value(of constant: PredicateExpression.Constant) -> Reference {
        switch constant {
        case .null: .null
        case .boolean(let value): plain(.boolean(value))
        case .integer(let number): plain(.integer(number))
        case .double(let number): defaultValue(.double(number))
        case .string(let text): plain(.string(text))
        case .date(let seconds): defaultValue(.date(seconds))
        }
    }

    /// A path on the evaluated object has type 3, and the selector distinguishes one key from several; on anything else
    /// it has type 4 and always the selector for several.
    private mutating func keyPath(
        _ path: String,
        of operand: PredicateExpression,
        _ owner: String,
        _ source: SourceMark
    ) -> Reference {
        let isOnSelf = operand == .evaluatedObject
        let isSingleKey = isOnSelf && !path.contains(".")
        let specifier = add(
            .keyPathSpecifier,
            ["NSExpressionType": .plain(.integer(10)), "NSKeyPath": string(path)]
        )
        return add(
            .keyPathExpression,
            [
                "NSExpressionType": .plain(.integer(isOnSelf ? 3 : 4)),
                "NSOperand": .reference(expression(operand, owner, source)),
                "NSSelectorName": string(isSingleKey ? "valueForKey:" : "valueForKeyPath:"),
                "NSArguments": .reference(collection([specifier], .mutableArray)),
            ]
        )
    }

    private mutating func function(
        _ selector: String,
        of operand: PredicateExpression?,
        _ arguments: [PredicateExpression],
        _ owner: String,
        _ source: SourceMark
    ) -> Reference {
        let target =
            if let operand { expression(operand, owner, source) } else { predicateUtilities() }
        let references = arguments.map { expression($0, owner, source) }
        // The framework, not its parser, makes the functions of collection operators.
        let isCollectionFunction = ["count:", "sum:", "min:", "max:", "average:"].contains(selector)
        return add(
            .functionExpression,
            [
                "NSExpressionType": .plain(.integer(4)), "NSOperand": .reference(target),
                "NSSelectorName": string(selector),
                "NSArguments": .reference(
                    collection(references, isCollectionFunction ? .array : .mutableArray)
                ),
            ]
        )
    }

    /// Adds the class of functions without an operand.
    private mutating func predicateUtilities() -> Reference {
        add(
            .constantExpression,
            [
                "NSExpressionType": .plain(.integer(0)),
                "NSConstantValueClassName": string("_NSPredicateUtilities"),
            ]
        )
    }

    private mutating func rareExpression(
        _ expression: PredicateExpression,
        _ owner: String,
        _ source: SourceMark
    ) -> Reference {
        reportUnproven("an expression of this kind", owner, source)
        switch expression {
        case .subquery(let collection, let variable, let predicate):
            return add(
                .subqueryExpression,
                [
                    "NSExpressionType": .plain(.integer(13)),
                    "NSCollection": .reference(self.expression(collection, owner, source)),
                    "NSVariable": string(variable),
                    "NSPredicate": .reference(self.predicate(predicate, owner, source)),
                ]
            )
        case .ternary(let condition, let first, let second):
            return add(
                .ternaryExpression,
                [
                    "NSExpressionType": .plain(.integer(20)),
                    "NSPredicate": .reference(predicate(condition, owner, source)),
                    "NSTrueExpression": .reference(self.expression(first, owner, source)),
                    "NSFalseExpression": .reference(self.expression(second, owner, source)),
                ]
            )
        case .symbol(let symbol):
            return add(
                .symbolicExpression,
                ["NSExpressionType": .plain(.integer(11)), "NSSymbol": string(symbol.rawValue)]
            )
        default: return .null
        }
    }
}

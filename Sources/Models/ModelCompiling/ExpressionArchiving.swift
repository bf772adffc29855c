package import ModelLanguage
import ObjectModel
import PropertyLists

extension ModelArchiver {
    package mutating func expression(_ expression: PredicateExpression, _ owner: Owner) -> Reference
    {
        switch expression {
        case .evaluatedObject: return shared(.selfExpression, ["NSExpressionType": .integer(1)])
        case .constant(.null):
            return node(.constantExpression, 0, ["NSConstantValueClassName": .null])
        case .constant(let constant):
            return node(
                .constantExpression,
                0,
                ["NSConstantValue": .reference(value(of: constant))]
            )
        case .variable(let name): return node(.variableExpression, 2, ["NSVariable": string(name)])
        case .keyPath(let operand, let path): return keyPath(path, of: operand, owner)
        case .function(let operand, let selector, let arguments):
            return function(selector, of: operand, arguments, owner)
        case .aggregate(let elements):
            reportUnproven("a list in a predicate", owner)
            let list = collection(elements.map { self.expression($0, owner) }, .array)
            return node(.aggregateExpression, 14, ["NSCollection": .reference(list)])
        case .subquery, .ternary, .symbol: return rareExpression(expression, owner)
        }
    }

    mutating func node(
        _ classRecord: KeyedArchive.ClassRecord,
        _ type: Int64,
        _ values: KeyedArchive.Values
    ) -> Reference {
        var all: KeyedArchive.Values = ["NSExpressionType": .integer(type)]
        for key in values.keys { values[key].map { all.add(key, $0) } }
        return add(classRecord, all)
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
        _ owner: Owner
    ) -> Reference {
        let isOnSelf = operand == .evaluatedObject
        let isSingleKey = isOnSelf && !path.contains(".")
        let specifier = node(.keyPathSpecifier, 10, ["NSKeyPath": string(path)])
        return node(
            .keyPathExpression,
            isOnSelf ? 3 : 4,
            [
                "NSOperand": .reference(expression(operand, owner)),
                "NSSelectorName": string(isSingleKey ? "valueForKey:" : "valueForKeyPath:"),
                "NSArguments": .reference(collection([specifier], .mutableArray)),
            ]
        )
    }

    private mutating func function(
        _ selector: String,
        of operand: PredicateExpression?,
        _ arguments: [PredicateExpression],
        _ owner: Owner
    ) -> Reference {
        let target = if let operand { expression(operand, owner) } else { predicateUtilities() }
        let references = arguments.map { expression($0, owner) }
        // The framework, not its parser, makes the functions of collection operators.
        let isCollectionFunction = ["count:", "sum:", "min:", "max:", "average:"].contains(selector)
        return function(
            selector,
            of: target,
            references,
            isCollectionFunction ? .array : .mutableArray
        )
    }

    mutating func function(
        _ selector: String,
        of target: Reference,
        _ arguments: [Reference],
        _ classRecord: KeyedArchive.ClassRecord
    ) -> Reference {
        node(
            .functionExpression,
            4,
            [
                "NSOperand": .reference(target), "NSSelectorName": string(selector),
                "NSArguments": .reference(collection(arguments, classRecord)),
            ]
        )
    }

    /// Adds the class of functions without an operand.
    private mutating func predicateUtilities() -> Reference {
        let name = string("_NSPredicateUtilities")
        return node(.constantExpression, 0, ["NSConstantValueClassName": name])
    }

    private mutating func rareExpression(
        _ expression: PredicateExpression,
        _ owner: Owner
    ) -> Reference {
        reportUnproven("an expression of this kind", owner)
        switch expression {
        case .subquery(let collection, let variable, let predicate):
            return node(
                .subqueryExpression,
                13,
                [
                    "NSCollection": .reference(self.expression(collection, owner)),
                    "NSVariable": string(variable),
                    "NSPredicate": .reference(self.predicate(predicate, owner)),
                ]
            )
        case .ternary(let condition, let first, let second):
            return node(
                .ternaryExpression,
                20,
                [
                    "NSPredicate": .reference(predicate(condition, owner)),
                    "NSTrueExpression": .reference(self.expression(first, owner)),
                    "NSFalseExpression": .reference(self.expression(second, owner)),
                ]
            )
        case .symbol(let symbol):
            return node(.symbolicExpression, 11, ["NSSymbol": string(symbol.rawValue)])
        default: return .null
        }
    }
}

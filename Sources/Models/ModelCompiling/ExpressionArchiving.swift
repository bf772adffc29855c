package import ModelLanguage
package import ObjectModel
import PropertyLists
import struct Essentials.Data
import struct Essentials.UUID

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

    mutating func defaultValue(_ value: AttributeValue?) -> Reference {
        switch value {
        case nil: .null
        case .integer(let number): plain(.integer(number))
        case .double(let number): real(.real64(number))
        case .float(let number): real(.real32(number))
        case .string(let text): plain(.string(text))
        case .boolean(let flag): plain(.boolean(flag))
        case .binary(let bytes): plain(.data(bytes))
        case .date(let seconds): add(.date, ["NS.time": .plain(.real64(seconds))])
        case .uuid(let uuid):
            add(.uuid, ["NS.uuidbytes": .plain(.data(withUnsafeBytes(of: uuid.uuid) { Data($0) }))])
        case .uri(let text): add(.url, ["NS.base": .null, "NS.relative": string(text)])
        case .decimal(let number): decimal(number)
        }
    }

    /// Adds a real number; not shared by value, because zeros of either sign are equal.
    private mutating func real(_ value: PropertyList) -> Reference { archive.add(.plain(value)) }

    /// Adds a decimal number as `NSDecimal` in memory: the mantissa in 16-bit words, least first.
    package mutating func decimal(_ number: DecimalValue) -> Reference {
        let bytes = (0..<16).map { UInt8(truncatingIfNeeded: number.mantissa >> UInt128(8 * $0)) }
        let bits = 128 - number.mantissa.leadingZeroBitCount
        return add(
            .decimal,
            [
                "NS.mantissa": .plain(.data(Data(bytes))), "NS.mantissa.bo": .integer(1),
                "NS.length": .integer(Int64((bits + 15) / 16)),
                "NS.exponent": .integer(Int64(number.exponent)),
                "NS.negative": .boolean(number.isNegative),
                "NS.compact": .boolean(false),
            ]
        )
    }

    /// A limit as a predicate, with the number of the error for breaking it.
    struct ArchivedLimit {
        var predicate: Reference
        var warning: Int64
    }

    /// Adds the limits of an attribute in Apple's order: least, greatest, pattern.
    ///
    /// The error numbers are those of `CoreDataErrors.h`.
    mutating func addValidation(of attribute: Attribute, _ owner: Owner) -> [ArchivedLimit] {
        guard !attribute.validation.isEmpty else { return [] }
        let codes: (minimum: Int64, maximum: Int64) =
            switch attribute.type {
            case .string: (1670, 1660)
            case .date: (1640, 1630)
            default: (1620, 1610)
            }
        var limits: [ArchivedLimit] = []
        if let minimum = attribute.validation.minimum {
            let predicate = limit(minimum, .greaterThanOrEqual, of: attribute, owner)
            limits.append(ArchivedLimit(predicate: predicate, warning: codes.minimum))
        }
        if let maximum = attribute.validation.maximum {
            let predicate = limit(maximum, .lessThanOrEqual, of: attribute, owner)
            limits.append(ArchivedLimit(predicate: predicate, warning: codes.maximum))
        }
        if let pattern = attribute.validation.regularExpression {
            let comparison = PredicateComparison(
                .evaluatedObject,
                .matches,
                .constant(.string(pattern))
            )
            let predicate = self.predicate(.comparison(comparison), owner)
            limits.append(ArchivedLimit(predicate: predicate, warning: 1680))
        }
        return limits
    }

    private mutating func limit(
        _ value: AttributeValue,
        _ comparison: PredicateComparison.Operator,
        of attribute: Attribute,
        _ owner: Owner
    ) -> Reference {
        let left: PredicateExpression
        let constant: Reference
        switch (attribute.type, value) {
        case (.string, _):
            left = .keyPath("length")
            constant = defaultValue(value)
        case (_, .date(let seconds)):
            left = .keyPath("timeIntervalSinceReferenceDate")
            constant = plain(.real64(seconds))
        default:
            left = .evaluatedObject
            constant = defaultValue(value)
        }
        let right = node(.constantExpression, 0, ["NSConstantValue": .reference(constant)])
        return addComparison(
            left: expression(left, owner),
            right: right,
            PredicateComparison(left, comparison, .constant(.null)),
            owner
        )
    }
}

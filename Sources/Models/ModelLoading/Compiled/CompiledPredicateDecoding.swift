import ModelLanguage
import PropertyLists

/// Decodes archived predicates and expressions; gives `nil` for unknown ones.
///
/// Archived predicates can contain themselves or each other many times: depth and number of parts are bounded.
struct PredicateDecoder {
    typealias Reference = KeyedArchive.Reference

    let reader: ArchiveReader
    private var allowance = 10_000

    private static let greatestDepth = 64

    init(reader: ArchiveReader) { self.reader = reader }

    mutating func predicate(_ reference: Reference, depth: Int) -> Predicate? {
        guard let instance = enter(reference, depth) else { return nil }
        switch instance.className {
        case "NSTruePredicate": return .constant(true)
        case "NSFalsePredicate": return .constant(false)
        case "NSCompoundPredicate": return compound(instance, depth)
        case "NSComparisonPredicate":
            guard let left = expression(child(instance, "NSLeftExpression"), depth: depth + 1),
                let right = expression(child(instance, "NSRightExpression"), depth: depth + 1),
                let sign = reader.archive.instance(child(instance, "NSPredicateOperator")),
                let code = integer(sign, "NSOperatorType"),
                let comparison = PredicateComparison.Operator(rawValue: code),
                let modifier = PredicateComparison.Modifier(
                    rawValue: integer(sign, "NSModifier") ?? 0
                )
            else { return nil }
            let options = integer(sign, "NSOptions") ?? integer(sign, "NSFlags") ?? 0
            guard options & ~0xF == 0 else { return nil }
            return .comparison(
                PredicateComparison(
                    left,
                    comparison,
                    right,
                    modifier: modifier,
                    options: PredicateComparison.Options(rawValue: options)
                )
            )
        default: return nil
        }
    }

    private mutating func compound(_ instance: KeyedArchive.Instance, _ depth: Int) -> Predicate? {
        var parts: [Predicate] = []
        for element in reader.uncountedElements(child(instance, "NSSubpredicates")) {
            guard let part = predicate(element, depth: depth + 1) else { return nil }
            parts.append(part)
        }
        switch (integer(instance, "NSCompoundPredicateType"), parts.count) {
        case (0, 1): return .not(parts[0])
        case (1, 0): return .constant(true)
        case (2, 0): return .constant(false)
        case (1, 1), (2, 1): return parts[0]
        case (1, _): return .and(parts)
        case (2, _): return .or(parts)
        default: return nil
        }
    }

    mutating func expression(_ reference: Reference, depth: Int) -> PredicateExpression? {
        guard let instance = enter(reference, depth) else { return nil }
        switch instance.className {
        case "NSSelfExpression": return .evaluatedObject
        case "NSConstantValueExpression":
            guard instance.values["NSConstantValue"] != nil else {
                // Nil is archived as a constant of no class.
                let isNil = instance.values["NSConstantValueClassName"] == .reference(.null)
                return isNil ? .constant(.null) : nil
            }
            return constant(child(instance, "NSConstantValue")).map { .constant($0) }
        case "NSVariableExpression": return text(instance, "NSVariable").map { .variable($0) }
        case "NSKeyPathExpression": return keyPath(instance, depth)
        case "NSFunctionExpression": return function(instance, depth)
        case "NSAggregateExpression":
            return expressions(child(instance, "NSCollection"), depth).map { .aggregate($0) }
        case "NSSubqueryExpression":
            guard let collection = expression(child(instance, "NSCollection"), depth: depth + 1),
                let variable = text(instance, "NSVariable"),
                let predicate = predicate(child(instance, "NSPredicate"), depth: depth + 1)
            else { return nil }
            return .subquery(collection: collection, variable: variable, predicate: predicate)
        default: return nil
        }
    }

    private mutating func keyPath(
        _ instance: KeyedArchive.Instance,
        _ depth: Int
    ) -> PredicateExpression? {
        guard let operand = expression(child(instance, "NSOperand"), depth: depth + 1),
            let specifier = reader.uncountedElements(child(instance, "NSArguments")).first,
            let path = reader.archive.instance(specifier).flatMap({ text($0, "NSKeyPath") })
        else { return nil }
        return .keyPath(operand, path)
    }

    private mutating func function(
        _ instance: KeyedArchive.Instance,
        _ depth: Int
    ) -> PredicateExpression? {
        guard let selector = text(instance, "NSSelectorName"),
            let arguments = expressions(child(instance, "NSArguments"), depth)
        else { return nil }
        let target = child(instance, "NSOperand")
        if let className = reader.archive.instance(target).flatMap({
            text($0, "NSConstantValueClassName")
        }) {
            guard className == "_NSPredicateUtilities" else { return nil }
            return .function(operand: nil, selector: selector, arguments: arguments)
        }
        guard let operand = expression(target, depth: depth + 1) else { return nil }
        return .function(operand: operand, selector: selector, arguments: arguments)
    }

    private mutating func expressions(
        _ collection: Reference,
        _ depth: Int
    ) -> [PredicateExpression]? {
        var expressions: [PredicateExpression] = []
        for element in reader.uncountedElements(collection) {
            guard let expression = expression(element, depth: depth + 1) else { return nil }
            expressions.append(expression)
        }
        return expressions
    }

    private func constant(_ reference: Reference) -> PredicateExpression.Constant? {
        switch reader.archive[reference] {
        case .null: return .null
        case .plain(.boolean(let flag)): return .boolean(flag)
        case .plain(.integer(let number)): return .integer(number)
        case .plain(.real64(let number)): return number.isFinite ? .double(number) : nil
        case .plain(.string(let text)): return .string(text)
        case .instance(let instance):
            if case .plain(.real64(let seconds)) = instance.values["NS.time"] {
                return seconds.isFinite ? .date(seconds) : nil
            }
            return reader.text(of: reference).map { .string($0) }
        default: return nil
        }
    }

    private mutating func enter(_ reference: Reference, _ depth: Int) -> KeyedArchive.Instance? {
        allowance -= 1
        guard allowance >= 0, depth <= Self.greatestDepth else { return nil }
        return reader.archive.instance(reference)
    }

    private func child(_ instance: KeyedArchive.Instance, _ key: String) -> Reference {
        if case .reference(let reference) = instance.values[key] { reference } else { .null }
    }

    private func text(_ instance: KeyedArchive.Instance, _ key: String) -> String? {
        reader.text(of: child(instance, key))
    }

    private func integer(_ instance: KeyedArchive.Instance, _ key: String) -> Int? {
        if case .plain(.integer(let number)) = instance.values[key] { Int(number) } else { nil }
    }
}

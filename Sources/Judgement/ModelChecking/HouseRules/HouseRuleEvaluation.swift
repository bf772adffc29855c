import ModelLanguage
import TextMatching

/// Evaluates the condition of a rule on elements of a version, within a number of steps.
///
/// Values are compared as in `NSPredicate`: null equals only null, and is less than nothing; a key of a list applies to
/// each of its elements.
struct HouseRuleEvaluation {
    struct TooCostly: Error {}

    /// The limit of steps for a rule in one version: one written by hand takes a few for each element.
    static let stepLimit = 2_000_000

    static let functions: Set<String> = [
        "count:", "length:", "lowercase:", "uppercase:", "add:to:", "from:subtract:",
        "multiply:by:", "divide:by:", "objectFrom:withIndex:",
    ]

    private(set) var steps = 0
    private var variables: [String: HouseRuleValue] = [:]
    private var patterns: [String: RegularExpression?] = [:]
    private var element: HouseRuleValue = .null

    mutating func holds(
        _ predicate: Predicate,
        for element: HouseRuleElement
    ) throws(TooCostly) -> Bool {
        self.element = .element(element)
        return try holds(predicate)
    }

    mutating func words(at path: String, of element: HouseRuleElement) throws(TooCostly) -> String {
        let value = try follow(path, from: .element(element))
        try step(value.weight)
        return value.words
    }

    private mutating func step(_ count: Int = 1) throws(TooCostly) {
        steps += count
        guard steps <= Self.stepLimit else { throw TooCostly() }
    }

    private mutating func holds(_ predicate: Predicate) throws(TooCostly) -> Bool {
        try step()
        switch predicate {
        case .constant(let value): return value
        case .and(let all):
            for item in all where try !holds(item) { return false }
            return true
        case .or(let all):
            for item in all where try holds(item) { return true }
            return false
        case .not(let item): return try !holds(item)
        case .comparison(let comparison): return try holds(comparison)
        }
    }

    private mutating func holds(_ comparison: PredicateComparison) throws(TooCostly) -> Bool {
        let (left, right) = (try value(of: comparison.left), try value(of: comparison.right))
        guard comparison.modifier != .direct, case .list(let items) = left else {
            return try compare(left, right, comparison)
        }
        for item in items {
            let holds = try compare(item, right, comparison)
            if comparison.modifier == .any, holds { return true }
            if comparison.modifier == .all, !holds { return false }
        }
        return comparison.modifier == .all
    }

    private mutating func value(
        of expression: PredicateExpression
    ) throws(TooCostly) -> HouseRuleValue {
        try step()
        switch expression {
        case .constant(let constant): return HouseRuleValue(constant)
        case .evaluatedObject: return element
        case .variable(let name): return variables[name] ?? .null
        case .keyPath(let operand, let path): return try follow(path, from: value(of: operand))
        case .aggregate(let items):
            var values: [HouseRuleValue] = []
            for item in items { values.append(try value(of: item)) }
            return .list(values)
        case .function(_, let selector, let arguments): return try call(selector, arguments)
        case .subquery(let collection, let variable, let predicate):
            guard case .list(let items) = try value(of: collection) else { return .list([]) }
            let outer = variables[variable]
            var kept: [HouseRuleValue] = []
            for item in items {
                variables[variable] = item
                if try holds(predicate) { kept.append(item) }
            }
            variables[variable] = outer
            return .list(kept)
        case .ternary(let predicate, let yes, let no):
            return try holds(predicate) ? value(of: yes) : value(of: no)
        case .symbol: return .null
        }
    }

    private mutating func follow(
        _ path: String,
        from start: HouseRuleValue
    ) throws(TooCostly) -> HouseRuleValue {
        var value = start
        var keys = path.split(separator: ".", omittingEmptySubsequences: false)[...]
        while let key = keys.popFirst() {
            if case .texts(let texts) = value {
                let rest = ([key] + keys).joined(separator: ".")
                return HouseRuleValue(texts[rest])
            }
            value = try step(String(key), from: value)
        }
        return value
    }

    private mutating func step(
        _ key: String,
        from value: HouseRuleValue
    ) throws(TooCostly) -> HouseRuleValue {
        try step()
        switch value {
        case .element(let element):
            let found = element.value(of: key) ?? .null
            if case .list(let items) = found { try step(items.count) }
            if case .texts(let texts) = found { try step(texts.count) }
            return found
        case .list(let items):
            if key.hasPrefix("@") { return Self.collected(key, items) }
            var values: [HouseRuleValue] = []
            for item in items {
                let found = try step(key, from: item)
                if case .list(let inner) = found { values += inner } else { values.append(found) }
            }
            return .list(values)
        case .texts(let texts): return HouseRuleValue(texts[key])
        case .text(let text) where key == HouseRuleKey.length:
            return .number(Double(text.utf16.count))
        case .null, .flag, .number, .text: return .null
        }
    }

    private static func collected(_ key: String, _ items: [HouseRuleValue]) -> HouseRuleValue {
        let numbers = items.compactMap(\.number)
        switch key {
        case "@count": return .number(Double(items.count))
        case "@sum": return .number(numbers.reduce(0, +))
        case "@min": return numbers.min().map { .number($0) } ?? .null
        case "@max": return numbers.max().map { .number($0) } ?? .null
        case "@avg":
            return numbers.isEmpty ? .null : .number(numbers.reduce(0, +) / Double(numbers.count))
        default: return .null
        }
    }

    private mutating func call(
        _ selector: String,
        _ arguments: [PredicateExpression]
    ) throws(TooCostly) -> HouseRuleValue {
        if selector == "objectFrom:withIndex:", case .symbol(let symbol)? = arguments.last,
            case .list(let items) = try value(of: arguments[0])
        {
            switch symbol {
            case .first: return items.first ?? .null
            case .last: return items.last ?? .null
            case .size: return .number(Double(items.count))
            }
        }
        var values: [HouseRuleValue] = []
        for argument in arguments { values.append(try value(of: argument)) }
        for value in values { try step(value.weight) }
        switch (selector, values.first) {
        case ("count:", .list(let items)): return .number(Double(items.count))
        case ("length:", .text(let text)): return .number(Double(text.utf16.count))
        case ("lowercase:", .text(let text)): return .text(text.lowercased())
        case ("uppercase:", .text(let text)): return .text(text.uppercased())
        case ("objectFrom:withIndex:", .list(let items)):
            guard let index = values.last?.number.flatMap({ Int(exactly: $0) }),
                items.indices.contains(index)
            else { return .null }
            return items[index]
        default:
            guard values.count == 2, let one = values[0].number, let two = values[1].number else {
                return .null
            }
            switch selector {
            case "add:to:": return .number(one + two)
            case "from:subtract:": return .number(one - two)
            case "multiply:by:": return .number(one * two)
            case "divide:by:": return two == 0 ? .null : .number(one / two)
            default: return .null
            }
        }
    }

    private mutating func compare(
        _ left: HouseRuleValue,
        _ right: HouseRuleValue,
        _ comparison: PredicateComparison
    ) throws(TooCostly) -> Bool {
        try step(left.weight + right.weight)
        let options = comparison.options
        switch comparison.operator {
        case .equal: return left.equals(right, options)
        case .notEqual: return !left.equals(right, options)
        case .lessThan: return left.precedes(right, options) == true
        case .greaterThan: return right.precedes(left, options) == true
        case .lessThanOrEqual: return right.precedes(left, options) == false
        case .greaterThanOrEqual: return left.precedes(right, options) == false
        case .between:
            guard case .list(let ends) = right, ends.count == 2 else { return false }
            return left.precedes(ends[0], options) == false
                && ends[1].precedes(left, options) == false
        case .in: return try contains(right, left, options)
        case .contains: return try contains(left, right, options)
        case .beginsWith, .endsWith, .like, .matches:
            guard case .text(let text) = left, case .text(let pattern) = right else { return false }
            return try compare(text, pattern, comparison.operator, options)
        }
    }

    private mutating func contains(
        _ whole: HouseRuleValue,
        _ part: HouseRuleValue,
        _ options: PredicateComparison.Options
    ) throws(TooCostly) -> Bool {
        switch whole {
        case .list(let items): return items.contains { $0.equals(part, options) }
        case .text(let text):
            guard case .text(let part) = part else { return false }
            // A search takes up to the product of both lengths.
            try step((text.utf8.count / 16 + 1) * (part.utf8.count / 16 + 1))
            return text.folded(options.folding).contains(part.folded(options.folding))
        case .null, .flag, .number, .element, .texts: return false
        }
    }

    private mutating func compare(
        _ text: String,
        _ pattern: String,
        _ operator: PredicateComparison.Operator,
        _ options: PredicateComparison.Options
    ) throws(TooCostly) -> Bool {
        let (text, folded) = (text.folded(options.folding), pattern.folded(options.folding))
        if `operator` == .beginsWith { return text.hasPrefix(folded) }
        if `operator` == .endsWith { return text.hasSuffix(folded) }
        let expression = `operator` == .like ? Self.expression(ofLike: folded) : pattern
        let flags = options.contains(.caseInsensitive) ? "is" : "s"
        let whole = "\\A(?\(flags):\(expression))\\z"
        let regex = patterns[whole] ?? (try? RegularExpression(whole))
        patterns[whole] = .some(regex)
        guard let regex else { return false }
        try step(text.utf8.count + 1)
        do throws(RegularExpressionFault) {
            return try regex.firstMatch(in: text, limit: Self.stepLimit - steps) != nil
        } catch { throw TooCostly() }
    }

    /// The regular expression of a pattern of `LIKE`, in which `?` is one character and `*` any number.
    private static func expression(ofLike pattern: String) -> String {
        pattern.map { character in
            switch character {
            case "?": "."
            case "*": ".*"
            default: character.isLetter || character.isNumber ? "\(character)" : "\\\(character)"
            }
        }.joined()
    }
}

extension PredicateComparison.Options {
    fileprivate var folding: Folding {
        var folding: Folding = []
        if contains(.caseInsensitive) { folding.insert(.cases) }
        if contains(.diacriticInsensitive) { folding.insert(.marks) }
        return folding
    }
}

extension HouseRuleValue {
    fileprivate init(_ constant: PredicateExpression.Constant) {
        self =
            switch constant {
            case .null: .null
            case .boolean(let flag): .flag(flag)
            case .integer(let number): .number(Double(number))
            case .double(let number), .date(let number): .number(number)
            case .string(let text): .text(text)
            }
    }

    /// The value as a number; truth values are 0 and 1, as in `NSPredicate`.
    fileprivate var number: Double? {
        switch self {
        case .number(let number): number
        case .flag(let flag): flag ? 1 : 0
        case .null, .text, .element, .list, .texts: nil
        }
    }

    fileprivate func equals(
        _ other: HouseRuleValue,
        _ options: PredicateComparison.Options
    ) -> Bool {
        if case .text(let one) = self, case .text(let two) = other {
            return one.folded(options.folding) == two.folded(options.folding)
        }
        if let one = number, let two = other.number { return one == two }
        return self == other
    }

    fileprivate func precedes(
        _ other: HouseRuleValue,
        _ options: PredicateComparison.Options
    ) -> Bool? {
        if case .text(let one) = self, case .text(let two) = other {
            return one.folded(options.folding) < two.folded(options.folding)
        }
        guard let one = number, let two = other.number else { return nil }
        return one < two
    }
}

import Diagnostics
import ModelLanguage
import TextMatching

/// Checks the keys in a condition, and their operands, before it is evaluated.
struct HouseRuleTyping {
    private let subject: HouseRuleKind
    private var variables: [String: HouseRuleType] = [:]
    private(set) var faults: [String] = []

    init(_ subject: HouseRule.Subject) {
        self.subject = HouseRuleKind(rawValue: subject.rawValue) ?? .item
    }

    mutating func check(_ predicate: Predicate) {
        switch predicate {
        case .constant: return
        case .and(let all), .or(let all): for item in all { check(item) }
        case .not(let item): check(item)
        case .comparison(let comparison):
            let (left, right) = (type(of: comparison.left), type(of: comparison.right))
            checkWords(of: left, comparison.right, comparison)
            checkWords(of: right, comparison.left, comparison)
            if comparison.operator == .matches { checkPattern(comparison.right) }
        }
    }

    /// A word that a key never has makes a rule without breaches.
    private mutating func checkWords(
        of type: HouseRuleType,
        _ other: PredicateExpression,
        _ comparison: PredicateComparison
    ) {
        guard let words = type.words, !comparison.options.contains(.caseInsensitive),
            [.equal, .notEqual, .in, .contains].contains(comparison.operator)
        else { return }
        let named =
            switch other {
            case .aggregate(let items): items
            default: [other]
            }
        for case .constant(.string(let word)) in named where !words.contains(word) {
            // A text that is searched may be a part of a word.
            let isSearch = [.in, .contains].contains(comparison.operator)
            if isSearch, case .word = type, case .constant = other { continue }
            let known = words.map { "'\($0)'" }.joined(separator: ", ")
            add("'\(word)' is not one of \(known)\(suggestion(for: word, among: words))")
        }
    }

    private mutating func checkPattern(_ pattern: PredicateExpression) {
        guard case .constant(.string(let text)) = pattern else {
            return add("write the pattern after MATCHES as a string")
        }
        guard !text.isEmpty else { return }
        do throws(RegularExpressionFault) { _ = try RegularExpression(text) } catch {
            add("'\(text)' is not a regular expression: \(error.message)")
        }
    }

    func fault(ofPath path: String) -> String? {
        var copy = self
        copy.faults = []
        _ = copy.follow(path, from: .element(subject))
        return copy.faults.first
    }

    private mutating func add(_ fault: String) {
        if !faults.contains(fault) { faults.append(fault) }
    }

    private mutating func type(of expression: PredicateExpression) -> HouseRuleType {
        switch expression {
        case .constant, .symbol: return .plain
        case .evaluatedObject: return .element(subject)
        case .variable(let name):
            guard let type = variables[name] else {
                add("there is no variable $\(name) here")
                return .plain
            }
            return type
        case .keyPath(let operand, let path): return follow(path, from: type(of: operand))
        case .aggregate(let items):
            for item in items { _ = type(of: item) }
            return .list(.plain)
        case .function(let operand, let selector, let arguments):
            return type(ofCall: selector, operand, arguments)
        case .subquery(let collection, let variable, let predicate):
            let list = type(of: collection)
            let outer = variables[variable]
            if case .list(let element) = list {
                variables[variable] = element
            } else {
                add("SUBQUERY needs a list")
                variables[variable] = .plain
            }
            check(predicate)
            variables[variable] = outer
            return list
        case .ternary(let predicate, let yes, let no):
            check(predicate)
            let type = type(of: yes)
            _ = self.type(of: no)
            return type
        }
    }

    private mutating func type(
        ofCall selector: String,
        _ operand: PredicateExpression?,
        _ arguments: [PredicateExpression]
    ) -> HouseRuleType {
        if let operand { _ = type(of: operand) }
        let types = arguments.map { type(of: $0) }
        guard HouseRuleEvaluation.functions.contains(selector), operand == nil else {
            let known = HouseRuleEvaluation.functions.sorted().joined(separator: ", ")
            add("rules have no function \(selector); they have \(known)")
            return .plain
        }
        guard selector == "objectFrom:withIndex:", case .list(let element)? = types.first else {
            return .plain
        }
        return element
    }

    private mutating func follow(_ path: String, from start: HouseRuleType) -> HouseRuleType {
        var type = start
        var keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)[
            ...
        ]
        while let key = keys.popFirst() {
            if case .texts = type {
                // The rest is the key of an entry, dots and all.
                return .plain
            }
            guard let next = step(key, from: type) else { return .plain }
            type = next
        }
        return type
    }

    private mutating func step(_ key: String, from type: HouseRuleType) -> HouseRuleType? {
        switch type {
        case .plain, .word:
            if key == HouseRuleKey.length { return .plain }
            fallthrough
        case .texts:
            add("a plain value has no '\(key)'")
            return nil
        case .list(let element):
            if key == "@count" { return .plain }
            guard !key.hasPrefix("@") else {
                if ["@min", "@max", "@sum", "@avg"].contains(key) { return type }
                add("lists have no operator '\(key)'; they have @count, @min, @max, @sum, @avg")
                return nil
            }
            guard let inner = step(key, from: element) else { return nil }
            if case .list = inner { return inner }
            return .list(inner)
        case .element(let kind):
            if let found = HouseRuleKey.key(key, of: kind) { return found.type }
            let names = HouseRuleKey.all(of: kind).map(\.name)
            let noun = kind == .item ? "a changed element" : "\(kind.article) \(kind.rawValue)"
            add("\(noun) has no '\(key)'\(suggestion(for: key, among: names))")
            return nil
        }
    }
}

extension HouseRuleKind {
    fileprivate var article: String {
        switch self {
        case .entity, .attribute, .index, .item: "an"
        case .version, .relationship, .change: "a"
        }
    }
}

extension HouseRuleType {
    /// The possible words of a value, or of each in a list; `nil` for free text.
    fileprivate var words: [String]? {
        switch self {
        case .word(let words): words
        case .list(let element): element.words
        case .plain, .element, .texts: nil
        }
    }
}

package import Diagnostics
import Essentials
package import ObjectModel
package import SQLiteAccess
import TextMatching

/// A model's limit on the values of an attribute; Core Data checks it when an object is saved.
package struct ValueRule: Sendable, Hashable {
    private enum Measure: Hashable {
        case least(String)
        case greatest(String)
        case leastLength(Int64)
        case greatestLength(Int64)
        case pattern(String)
        case undecidedPattern(String)
        case values([AttributeValue])
    }

    package let rule: RuleID
    /// What is wrong with a value that breaks it, and the consequence; lower case, no final period.
    package let message: String
    private let measure: Measure

    private init(_ rule: RuleID, _ fault: String, _ code: Int?, _ measure: Measure) {
        (self.rule, self.measure) = (rule, measure)
        message =
            code.map { "\(fault): Core Data refuses the next save of the object (\($0))" } ?? fault
    }

    package init(cases: [EnumCases.Case]) {
        self.init(
            .enumValueUnknown,
            "no case of the enum has this value: the app crashes when it reads it",
            nil,
            .values(cases.map(\.value))
        )
    }

    /// Returns the condition that a value, given in SQL, breaks the rule; a missing value breaks none.
    package func condition(_ value: String) -> String {
        let isNumber = "typeof(\(value)) IN ('integer', 'real')"
        let isText = "typeof(\(value)) = 'text'"
        return switch measure {
        case .least(let limit): "\(isNumber) AND \(value) < \(limit)"
        case .greatest(let limit): "\(isNumber) AND \(value) > \(limit)"
        // No text has fewer units of UTF-16 than characters, or more than bytes.
        case .leastLength(let length):
            "\(isText) AND length(\(value)) < \(length) AND \(Self.length)(\(value)) < \(length)"
        case .greatestLength(let length):
            "\(isText) AND length(CAST(\(value) AS BLOB)) > \(length) AND \(Self.length)(\(value)) > \(length)"
        case .pattern(let pattern):
            "\(isText) AND \(Self.match)(\(value), \(quotedText(pattern))) = 0"
        case .undecidedPattern(let pattern):
            "\(isText) AND \(Self.match)(\(value), \(quotedText(pattern))) IS NULL"
        case .values(let values): "\(value) IS NOT NULL AND \(value) NOT IN (\(Self.list(values)))"
        }
    }

    private static func list(_ values: [AttributeValue]) -> String {
        values.map { value in
            switch value {
            case .integer(let number): String(number)
            default: quotedText(value.sourceText ?? "")
            }
        }.joined(separator: ", ")
    }

    private static let length = "momtool_length"
    private static let match = "momtool_matches"

    package static func rules(of attribute: Attribute) -> [ValueRule] {
        attribute.type == .string ? textRules(of: attribute) : numberRules(of: attribute)
    }

    private static func numberRules(of attribute: Attribute) -> [ValueRule] {
        let (low, high) = attribute.type == .date ? (1640, 1630) : (1620, 1610)
        let limits = [
            (attribute.validation.minimum, "below the minimum", low, Measure.least),
            (attribute.validation.maximum, "above the maximum", high, Measure.greatest),
        ]
        return limits.compactMap { limit, fault, code, measure in
            limit.flatMap(number).map {
                ValueRule(.valueOutsideLimits, "\(fault) of \($0.words)", code, measure($0.sql))
            }
        }
    }

    private static func textRules(of attribute: Attribute) -> [ValueRule] {
        var rules: [ValueRule] = []
        if case .integer(let least)? = attribute.validation.minimum, least > 0 {
            rules.append(
                ValueRule(.valueOutsideLimits, "shorter than \(least)", 1670, .leastLength(least))
            )
        }
        if case .integer(let most)? = attribute.validation.maximum {
            rules.append(
                ValueRule(.valueOutsideLimits, "longer than \(most)", 1660, .greatestLength(most))
            )
        }
        if let pattern = attribute.validation.regularExpression, !pattern.isEmpty {
            rules.append(
                ValueRule(
                    .patternNotMatched,
                    "does not match the pattern \(pattern)",
                    1680,
                    .pattern(pattern)
                )
            )
            var undecided = "the pattern \(pattern) takes too long to check"
            do throws(RegularExpressionFault) { _ = try compiled(pattern) } catch {
                undecided =
                    "the pattern \(pattern) is unsupported and not checked: \(error.message)"
            }
            rules.append(ValueRule(.patternNotChecked, undecided, nil, .undecidedPattern(pattern)))
        }
        return rules
    }

    /// A limit as SQL and in words; `nil` if it is not a number.
    private static func number(_ limit: AttributeValue) -> (sql: String, words: String)? {
        switch limit {
        case .integer(let value): return (String(value), String(value))
        case .double(let value): return value.isFinite ? ("\(value)", "\(value)") : nil
        case .float(let value): return value.isFinite ? ("\(Double(value))", "\(value)") : nil
        case .decimal(let value): return (value.description, value.description)
        case .date(let seconds):
            guard seconds.isFinite else { return nil }
            // The calendar has no years beyond these.
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            let words = abs(seconds) < 1e11 ? date.formatted(.iso8601) : "\(seconds) seconds"
            return ("\(seconds)", words)
        case .string, .boolean, .binary, .uuid, .uri: return nil
        }
    }

    /// Compiles a pattern so that it must match the whole text.
    fileprivate static func compiled(
        _ pattern: String
    ) throws(RegularExpressionFault) -> RegularExpression {
        // In a pattern with comments the last line may be one.
        if let whole = try? RegularExpression("\\A(?:\(pattern))\\z") { return whole }
        return try RegularExpression("\\A(?:\(pattern)\n)\\z")
    }

    package static func registerFunctions(on connection: SQLiteConnection) throws(StoreError) {
        try connection.register(length, arguments: 1) { values in
            values[0].text.map { .integer(Int64($0.utf16.count)) } ?? .null
        }
        let matcher = PatternMatcher()
        try connection.register(match, arguments: 2) { values in
            guard let text = values[0].text, let pattern = values[1].text,
                let isMatch = matcher.matches(text, pattern)
            else { return .null }
            return .integer(isMatch ? 1 : 0)
        }
    }
}

/// Matches texts with patterns, each compiled once, and gives up where that takes too long.
private final class PatternMatcher: Sendable {
    private struct Pattern {
        var expression: RegularExpression?
        var failures = 0
    }

    private let patterns = Locked<[String: Pattern]>([:])

    /// Whether a whole text matches; `nil` when that is unknown.
    func matches(_ text: String, _ pattern: String) -> Bool? {
        let known = patterns.withLock { patterns in
            if let known = patterns[pattern] { return known }
            let new = Pattern(expression: try? ValueRule.compiled(pattern))
            patterns[pattern] = new
            return new
        }
        guard let expression = known.expression else { return nil }
        // A pattern that often takes too long gets less time with each text.
        let limit = 2_000_000 >> min(known.failures / 16, 9)
        do throws(RegularExpressionFault) {
            return try expression.firstMatch(in: text, limit: limit) != nil
        } catch {
            patterns.withLock { $0[pattern]?.failures += 1 }
            return nil
        }
    }
}

extension RuleID {
    static let valueOutsideLimits: RuleID = "value-outside-limits"
    package static let enumValueUnknown: RuleID = "enum-value-unknown"
    package static let missingSwiftValue: RuleID = "missing-swift-value"
    static let patternNotMatched: RuleID = "pattern-not-matched"
    static let patternNotChecked: RuleID = "pattern-not-checked"
}

let ruleDamage: [RuleID: Damage] = [
    .valueOutsideLimits: .person("A value is outside the limits in the model."),
    .enumValueUnknown: .person("No case of an attribute's enum has the value."),
    .patternNotMatched: .person("A text does not match the pattern in the model."),
    .patternNotChecked: .person("A pattern of the model is not valid, or takes too long."),
]

/// Returns the condition that a value is stored in the form of its type (SQLiteStores, "Values"), and a name for such
/// values; `nil` for an unknown type.
package func storedForm(
    of type: AttributeType,
    _ value: String
) -> (name: String, condition: String)? {
    let kind = "typeof(\(value))"
    let isInteger = "\(kind) = 'integer'"
    let isNumber = "\(kind) IN ('integer', 'real')"
    let isFinite = "\(isNumber) AND \(value) > -9e999 AND \(value) < 9e999"
    return switch type.values {
    case .boolean: ("Boolean", "\(isInteger) AND \(value) IN (0, 1)")
    case .integer where type.integers == .min ... .max: (type.sourceName ?? "integer", isInteger)
    case .integer: (type.sourceName ?? "integer", "\(isInteger) AND \(type.within(value))")
    case .double, .float: ("floating-point number", isNumber)
    // Text says that a decimal is not a number.
    case .decimal: ("decimal number", "(\(isFinite) OR \(value) = 'NaN')")
    // Core Data reads a floating-point number.
    case .date: ("date", "\(isFinite) AND \(value) = CAST(\(value) AS REAL)")
    case .string, .uri: ("text", "\(kind) = 'text'")
    case .uuid: ("UUID", "\(kind) = 'blob' AND length(\(value)) = 16")
    case .binary, .transformable: ("bytes", "\(kind) = 'blob'")
    case .undefined, .objectID, .composite: nil
    }
}

extension AttributeType {
    package func within(_ value: String) -> String {
        "\(value) BETWEEN \(integers.lowerBound) AND \(integers.upperBound)"
    }
}

/// Checks the values of all rows against the limits, lengths and patterns of the model.
///
/// Core Data checks them when it saves an object, not when it opens a store, so faults stay undetected until then. What the
/// model always requires of values and links is checked by ``verify(_:against:notesJoinTables:progress:)``. There are no
/// findings if the store's entity numbers differ, which `verify` reports.
package func validate(
    _ file: StoreFile,
    against model: ManagedObjectModel
) throws(StoreError) -> [Diagnostic] {
    try findings(in: file, against: model) { $0.addRules() }
}

/// Checks the values of all rows against the cases of the enums that an app's sources declare.
///
/// There are no findings if the store's entity numbers differ.
package func enumFindings(
    in file: StoreFile,
    against model: ManagedObjectModel
) throws(StoreError) -> [Diagnostic] {
    try findings(in: file, against: model) { $0.addCases() }
}

private func findings(
    in file: StoreFile,
    against model: ManagedObjectModel,
    _ add: (inout RowChecks) -> Void
) throws(StoreError) -> [Diagnostic] {
    let store = try LaidOutStore(file, model)
    let (keys, tables) = (try file.primaryKeys(), Set(store.columns.keys))
    guard numberFindings(store.layout, keys, tables).isSame else { return [] }
    var checks = RowChecks(of: store)
    add(&checks)
    try ValueRule.registerFunctions(on: file.connection)
    return try checks.run(on: file.connection)
}

extension RowChecks {
    /// Adds the check that an element of a composite has a value if another one has: all of them may be absent.
    mutating func addElementCheck(of value: CheckedValue, among values: [CheckedValue]) {
        let leaf = value.leaf
        guard !leaf.attribute.isOptional, !leaf.path.isEmpty else { return }
        let composite = leaf.path.dropLast()
        let others = values.filter {
            $0.leaf.name == leaf.name && $0.leaf.path != leaf.path
                && $0.leaf.path.starts(with: composite)
        }.map(\.value)
        guard !others.isEmpty else { return }
        let name = leaf.name.followed(by: leaf.path)
        let property = PropertyReference(entity: value.property.entity, name: name)
        let some = "coalesce(\(others.joined(separator: ", ")), NULL) NOT NULL"
        let isGap = "\(value.isMissing) AND \(some)"
        let message = missingElementMessage
        add(.missingValue, property, message, severity: .warning, in: value.table, where: isGap)
    }
}

/// What is wrong with a composite that lacks a mandatory element.
package let missingElementMessage =
    "required in a composite that has other values, but without a value"

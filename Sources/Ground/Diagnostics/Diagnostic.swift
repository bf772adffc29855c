/// The stable, readable name of the rule behind a diagnostic, such as `unknown-parent-entity`.
///
/// A rule ID never changes its meaning and is never used again for something else.
public struct RuleID: Sendable, Hashable, RawRepresentable, ExpressibleByStringLiteral {
    /// The kebab-case name.
    public let rawValue: String

    /// Creates a rule ID from its kebab-case name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Creates a rule ID from a literal.
    public init(stringLiteral value: String) {
        self.rawValue = value
    }
}

/// How bad a finding is.
public enum Severity: String, Sendable, Hashable, CaseIterable, Comparable {
    /// Worth knowing; nothing is wrong.
    case note
    /// Probably not what was meant; the work goes on.
    case warning
    /// The input cannot be used as it is.
    case error

    /// Orders from `note` to `error`.
    public static func < (left: Severity, right: Severity) -> Bool {
        left.rank < right.rank
    }

    private var rank: Int {
        switch self {
        case .note: 0
        case .warning: 1
        case .error: 2
        }
    }
}

/// One finding about an input: what, where, and what to do.
public struct Diagnostic: Sendable, Hashable {
    /// A second location that explains a diagnostic.
    public struct Note: Sendable, Hashable {
        /// What is to be seen there; lower case, no final period.
        public var message: String
        /// Where it is to be seen.
        public var location: SourceLocation?
        /// Lines to write into a file, shown below the message; empty for most notes.
        public var lines: [String]

        /// Creates a note.
        public init(_ message: String, at location: SourceLocation? = nil, lines: [String] = []) {
            self.message = message
            self.location = location
            self.lines = lines
        }

        /// The message and its lines, in none of which a name begins a line of its own.
        public var text: String { ([message] + lines).map(\.onOneLine).joined(separator: "\n") }
    }

    /// The rows, values or links that a diagnostic of a store is about.
    public struct AffectedRows: Sendable, Hashable {
        /// How many there are.
        public var count: Int
        /// What is counted: `row`, `value` or `link`.
        public var unit: String
        /// The keys (`Z_PK`) of the first of the rows.
        public var keys: [Int64]

        /// Creates the value.
        package init(count: Int, unit: String, keys: [Int64]) {
            (self.count, self.unit, self.keys) = (count, unit, keys)
        }
    }

    /// The rule that was broken.
    public var rule: RuleID
    /// How bad it is.
    public var severity: Severity
    /// What is wrong; lower case, no final period, imperative when the user can act.
    public var message: String
    /// Where it is wrong.
    public var location: SourceLocation?
    /// The element of the model, such as `Person` or `Person.name`.
    public var element: String?
    /// Further locations, and what to do next.
    public var notes: [Note]
    /// What would let the work go on, where something was refused.
    public var advice: [Advice]
    /// The rows that it is about, of a store.
    public var rows: AffectedRows?
    /// The name of what is lost, where that is not named as meant, such as `Book.notes`.
    public var loss: String?

    /// Creates a diagnostic.
    public init(
        _ rule: RuleID,
        _ message: String,
        severity: Severity = .error,
        at location: SourceLocation? = nil,
        element: String? = nil,
        notes: [Note] = [],
        advice: [Advice] = [],
        rows: AffectedRows? = nil,
        loss: String? = nil
    ) {
        self.rule = rule
        self.severity = severity
        self.message = message
        self.location = location
        self.element = element
        self.notes = notes
        self.advice = advice
        self.rows = rows
        self.loss = loss
    }
}

extension Diagnostic: CustomStringConvertible {
    /// The diagnostic as clang and Xcode print it, each note on a line of its own.
    public var description: String {
        let place = location.map { "\($0): " } ?? ""
        let head = "\(place)\(severity.rawValue): \(message) [\(rule.rawValue)]"
        let tail = notes.map { note in
            (note.location.map { "\($0): ".onOneLine } ?? "") + "note: " + note.text
        }
        return ([head.onOneLine] + tail).joined(separator: "\n")
    }
}

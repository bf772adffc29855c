import Essentials

/// The stable, readable name of the rule behind a diagnostic, such as `unknown-parent-entity`.
///
/// A rule ID never changes its meaning and is never reused.
public struct RuleID: Sendable, Hashable, RawRepresentable, ExpressibleByStringLiteral {
    /// The kebab-case name.
    public let rawValue: String

    /// Creates a rule ID from its kebab-case name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a rule ID from a literal.
    public init(stringLiteral value: String) { self.rawValue = value }
}

/// How bad a finding is.
public enum Severity: String, Sendable, Hashable, CaseIterable, Comparable {
    /// Worth knowing; nothing is wrong.
    case note
    /// Probably not intended; the work continues.
    case warning
    /// The input cannot be used as it is.
    case error

    /// Orders from `note` to `error`.
    public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

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
        /// What reports of many findings print once, or on the line of the finding.
        package enum Role: Sendable {
            case other
            /// Where an older version has what is lost.
            case earlierPlace
            /// How to agree to a loss.
            case agreement
        }

        package var role = Role.other
        package var wording: Wording
        /// The location of it.
        public var location: FileLocation?
        /// Lines to write into a file, shown below the message; empty for most notes.
        package var lines: [String]

        /// Creates a note.
        package init(_ message: String, at location: FileLocation? = nil, lines: [String] = []) {
            self.init(saying: Wording(message), at: location, lines: lines)
        }

        package init(
            saying wording: Wording,
            at location: FileLocation? = nil,
            lines: [String] = []
        ) {
            (self.wording, self.location, self.lines) = (wording, location, lines)
        }

        package func having(_ role: Role) -> Note {
            var note = self
            note.role = role
            return note
        }

        /// What there is to see, in the words of code; lower case, no final period.
        public var message: String {
            get { wording.text(in: .code) }
            set { wording = Wording(newValue) }
        }

        /// The message and its lines, with names unable to begin a line of their own.
        package var text: String { text(in: .code) }

        package func text(in words: Words) -> String { printed.text(in: words) }

        private var printed: Wording {
            ([wording] + lines.map { Wording($0) }).map(\.onOneLine).joined(separator: "\n")
        }

        fileprivate var printedWithPlace: Wording {
            let place = location.map { "\($0): ".onOneLine } ?? ""
            return "\(place)note: \(printed)"
        }
    }

    /// The rows, values or links that a diagnostic of a store is about.
    public struct AffectedRows: Sendable, Hashable, Codable {
        /// How many there are.
        public var count: Int
        /// What is counted: `row`, `value`, `link`, `record` or `schema object`.
        public var unit: String
        /// The keys (`Z_PK`) of the first of the rows, in ascending order; of a join table, its row numbers.
        public var keys: [Int64]
        /// What a migration does with them; `nil` for nothing.
        package var stake: Stake?

        private enum CodingKeys: String, CodingKey { case count, unit, keys }

        package enum Stake: String, Sendable, Hashable {
            /// It would lose them, or they prevent it.
            case atStake = "at stake"
            case lost
        }

        package init(count: Int, unit: String, keys: [Int64], stake: Stake? = nil) {
            (self.count, self.unit, self.keys, self.stake) = (count, unit, keys, stake)
        }
    }

    /// The rule that was broken.
    public var rule: RuleID
    /// How bad it is.
    public var severity: Severity
    /// What is wrong, without the rows where the message counts them.
    package var reason: Wording
    /// Whether the message consists of the reason and the rows.
    private var countsRows = false
    /// Where it is wrong.
    public var location: FileLocation?
    /// The element of the model, such as `Person` or `Person.name`.
    public var element: String?
    /// Further locations, and what to do next.
    public var notes: [Note]
    /// Decisions that would permit the refused work.
    public var advice: [Advice]
    /// The rows that it is about, of a store.
    public var rows: AffectedRows?
    /// The name of the lost item, such as `Book.notes`; `nil` if nothing is lost.
    public var loss: String?

    package init(
        _ rule: RuleID,
        _ message: String,
        severity: Severity = .error,
        at location: FileLocation? = nil,
        element: String? = nil,
        notes: [Note] = [],
        advice: [Advice] = [],
        rows: AffectedRows? = nil,
        loss: String? = nil
    ) {
        self.init(
            rule,
            saying: Wording(message),
            severity: severity,
            at: location,
            element: element,
            notes: notes,
            advice: advice,
            rows: rows,
            loss: loss
        )
    }

    package init(
        _ rule: RuleID,
        saying wording: Wording,
        severity: Severity = .error,
        at location: FileLocation? = nil,
        element: String? = nil,
        notes: [Note] = [],
        advice: [Advice] = [],
        rows: AffectedRows? = nil,
        loss: String? = nil
    ) {
        (self.rule, self.severity) = (rule, severity)
        self.reason = wording
        (self.location, self.element, self.notes, self.advice) = (location, element, notes, advice)
        (self.rows, self.loss) = (rows, loss)
    }
}

extension [Diagnostic] {
    package mutating func report(
        _ rule: RuleID,
        _ message: String,
        severity: Severity = .error,
        at place: FileLocation? = nil,
        element: String? = nil,
        notes: [Diagnostic.Note] = []
    ) {
        append(.init(rule, message, severity: severity, at: place, element: element, notes: notes))
    }
}

extension Diagnostic {
    /// What is wrong, in the words of code; lower case, no final period, imperative when the user can act.
    ///
    /// For rows of a store it begins with the element and their number, and names some of their keys.
    public var message: String {
        get { wording.text(in: .code) }
        set { wording = Wording(newValue) }
    }

    package var wording: Wording {
        get { countsRows ? rows.map { $0.message(reason, of: element) } ?? reason : reason }
        set { (reason, countsRows) = (newValue, false) }
    }

    package var entity: String? { element.map { String($0.prefix { $0 != "." }) } }

    /// The property of the element, with the names within a composite attribute; `nil` for an entity.
    package var property: String? {
        guard let element, let dot = element.firstIndex(of: ".") else { return nil }
        return String(element[element.index(after: dot)...])
    }

    /// How many rows or other items it is about; 1 if they are not counted.
    package var count: Int { rows?.count ?? 1 }

    package var keys: [Int64] { rows?.keys ?? [] }

    /// Creates a diagnostic of an entity of a store, or of one of its properties.
    ///
    /// `property` has the names within a composite attribute. `rows` may be counted later; `nil` means that it is about
    /// none.
    package init(
        _ rule: RuleID,
        _ reason: String,
        severity: Severity = .error,
        entity: String,
        property: String? = nil,
        rows: AffectedRows? = nil
    ) {
        self.init(
            rule,
            saying: Wording(reason),
            severity: severity,
            entity: entity,
            property: property,
            rows: rows
        )
    }

    /// Creates a diagnostic of an entity of a store, or of one of its properties, with hints.
    package init(
        _ rule: RuleID,
        saying reason: Wording,
        severity: Severity = .error,
        entity: String,
        property: String? = nil,
        rows: AffectedRows? = nil
    ) {
        let element = property.map { "\(entity).\($0)" } ?? entity
        let wording: Wording = rows == nil ? "\(element): \(reason)" : reason
        self.init(rule, saying: wording, severity: severity, element: element, rows: rows)
        countsRows = rows != nil
    }

    package var asError: Diagnostic {
        var copy = self
        copy.severity = .error
        return copy
    }

    package func at(_ path: String) -> Diagnostic {
        var copy = self
        copy.location = FileLocation(path: path)
        return copy
    }
}

extension Diagnostic.AffectedRows {
    /// The greatest number of keys that are named.
    package static let keyLimit = 5

    package static let uncounted = Self(count: 0, unit: "row", keys: [])

    /// Counts a row, whose key is kept if it is one of the first.
    package mutating func add(_ key: Int64) {
        count += 1
        if keys.count < Self.keyLimit { keys.append(key) }
    }

    fileprivate func message(_ reason: Wording, of element: String?) -> Wording {
        let head = element.map { "\($0): " } ?? ""
        let amount = count.counted(unit)
        if let stake {
            let list = keys.map(String.init).joined(separator: ", ")
            let place = keys.isEmpty ? "" : " (Z_PK \(list))"
            return "\(head)\(amount) \(stake.rawValue)\(place): \(reason)"
        }
        guard !keys.isEmpty else { return "\(head)\(reason)" }
        let list = keys.map { "p\($0)" }.joined(separator: ", ")
        return "\(head)\(amount): \(reason) (\(list)\(count > keys.count ? ", …" : ""))"
    }
}

extension Diagnostic: CustomStringConvertible {
    /// The diagnostic as clang and Xcode print it, each note on a line of its own, in the words of code.
    public var description: String { description(in: .code) }

    package func description(in words: Words) -> String { printed.text(in: words) }

    package var printed: Wording { printed(saying: wording) }

    /// The same with the advice after the message, unless that contains it.
    package var advised: Wording {
        let known = wording.advice
        let rest = advice.filter { !known.contains($0) }.map { Wording(.advice($0)) }
        return printed(saying: ([wording] + rest).joined(separator: "; "))
    }

    private func printed(saying wording: Wording) -> Wording {
        let place = location.map { "\($0): " } ?? ""
        let head: Wording = "\(place)\(severity.rawValue): \(wording) [\(rule.rawValue)]"
        return ([head.onOneLine] + notes.map(\.printedWithPlace)).joined(separator: "\n")
    }

    package func worded(in words: Words) -> Diagnostic {
        var copy = self
        copy.reason = reason.worded(in: words)
        for index in notes.indices {
            copy.notes[index].wording = notes[index].wording.worded(in: words)
        }
        return copy
    }
}

extension Diagnostic.Note: CustomStringConvertible {
    /// The note as printed below a diagnostic, with its location and its lines, in the words of code.
    public var description: String { printedWithPlace.text(in: .code) }
}

extension Diagnostic.AffectedRows: CustomStringConvertible {
    /// How many there are, with some keys, such as `7 rows (Z_PK 1, 2, 3, 4, 5, …)`.
    public var description: String {
        let list = keys.map(String.init).joined(separator: ", ")
        let named = keys.isEmpty ? "" : " (Z_PK \(list)\(count > keys.count ? ", …" : ""))"
        return (count.counted(unit) + named).onOneLine
    }
}

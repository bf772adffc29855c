package import Diagnostics
package import ModelLanguage

/// A rule of a team, written in `.momtool.yml` in the language of predicates.
///
///     rules:
///       - id: acme-no-inline-binary
///         for: attribute
///         when: "type == 'Binary' AND externalStorage == NO"
///         message: "keep '{name}' outside of the store"
///         severity: warning
///         applies: new
///
/// It is broken where its condition holds.
package struct HouseRule: Sendable, Hashable {
    package enum Subject: String, Sendable, Hashable, CaseIterable {
        case entity
        case attribute
        case relationship
        case index
        case version
        case change
    }

    package var id: RuleID
    package var subject: Subject
    package var condition: Predicate
    /// `{key}` is replaced by a value.
    package var message: String
    package var severity = Severity.warning
    /// Whether to check only what the version before does not have.
    package var appliesToNew = false
    /// Models that keep the rule, each with its versions, oldest first.
    package var passes: [Example]
    package var fails: [Example]
    package var location: FileLocation

    package struct Example: Sendable, Hashable {
        /// The elements inside of `<model>`, of each version.
        package var versions: [String]
        package var location: FileLocation

        package init(_ versions: [String], at location: FileLocation) {
            self.versions = versions
            self.location = location
        }
    }

    package init(
        _ id: RuleID,
        for subject: Subject,
        when condition: Predicate,
        message: String,
        at location: FileLocation
    ) {
        self.id = id
        self.subject = subject
        self.condition = condition
        self.message = message
        (passes, fails) = ([], [])
        self.location = location
    }

    /// Faults of the condition and the message: unknown keys and functions.
    package var faults: [String] {
        var checking = HouseRuleTyping(subject)
        checking.check(condition)
        return checking.faults + messageKeys.compactMap { checking.fault(ofPath: $0) }
    }

    private var messageKeys: [String] {
        message.split(separator: "{", omittingEmptySubsequences: false).dropFirst().compactMap {
            part in part.firstIndex(of: "}").map { String(part[..<$0]) }
        }
    }
}

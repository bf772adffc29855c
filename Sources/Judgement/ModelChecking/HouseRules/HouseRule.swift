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
    /// What a rule looks at.
    package enum Subject: String, Sendable, Hashable, CaseIterable {
        /// Each entity of a version.
        case entity
        /// Each attribute that an entity declares.
        case attribute
        /// Each relationship that an entity declares.
        case relationship
        /// Each fetch index of an entity.
        case index
        /// A version as a whole.
        case version
        /// Each difference between a version and the one before it.
        case change
    }

    /// The ID, which findings show and settings name.
    package var id: RuleID
    /// What it looks at.
    package var subject: Subject
    /// The condition that breaks it.
    package var condition: Predicate
    /// What is said; `{key}` stands for a value.
    package var message: String
    /// How bad a breach is.
    package var severity: Severity
    /// Whether only what the version before does not have is looked at.
    package var appliesToNew: Bool
    /// Models that keep the rule, each with its versions, oldest first.
    package var passes: [Example]
    /// Models that break it.
    package var fails: [Example]
    /// Where it is written.
    package var location: FileLocation

    /// A model that shows what a rule is about.
    package struct Example: Sendable, Hashable {
        /// The elements inside of `<model>`, of each version.
        package var versions: [String]
        /// Where it is written.
        package var location: FileLocation

        package init(_ versions: [String], at location: FileLocation) {
            self.versions = versions
            self.location = location
        }
    }

    /// Creates a rule without examples.
    package init(
        _ id: RuleID,
        for subject: Subject,
        when condition: Predicate,
        message: String,
        severity: Severity = .warning,
        appliesToNew: Bool = false,
        at location: FileLocation
    ) {
        self.id = id
        self.subject = subject
        self.condition = condition
        self.message = message
        self.severity = severity
        self.appliesToNew = appliesToNew
        (passes, fails) = ([], [])
        self.location = location
    }

    /// What is wrong with the condition and the message: keys that the subject does not have, functions that are unknown.
    package var faults: [String] {
        var checking = HouseRuleTyping(subject)
        checking.check(condition)
        return checking.faults + messageKeys.compactMap { checking.fault(ofPath: $0) }
    }

    /// The keys in braces of the message.
    private var messageKeys: [String] {
        message.split(separator: "{", omittingEmptySubsequences: false).dropFirst().compactMap {
            part in
            part.firstIndex(of: "}").map { String(part[..<$0]) }
        }
    }
}

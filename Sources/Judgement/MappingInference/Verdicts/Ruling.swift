package import Diagnostics

/// A row of the table of verdicts: what Core Data does with one kind of change between two versions.
///
/// ``judge(_:_:_:)`` uses the rows, and the page of verdicts prints them. Texts may hold `{name}`, `{from}`, `{to}` and
/// `{value}`, which a judgement replaces by what its change names.
package struct Ruling: Sendable, Hashable {
    /// The change, in the words of the page of verdicts.
    package var change: String
    package var verdict: Verdict
    /// The ID, which never changes its meaning; rows that differ only by circumstances share one.
    package var rule: RuleID
    /// What happens to existing rows; lower case, no final period.
    package var effect: String
    /// `nil` when there is nothing to do.
    package var cure: String?
    package var evidence: Evidence
    /// Where it was observed, for the page of verdicts; `nil` where it was not.
    package var seen: String?

    static func row(
        _ verdict: Verdict,
        _ rule: RuleID
    ) -> RulingDraft<(verdict: Verdict, rule: RuleID)> { RulingDraft((verdict, rule)) }

    static func undocumented(
        _ rule: RuleID
    ) -> RulingDraft<(verdict: Verdict, rule: RuleID)> { row(.lightweightThoughUndocumented, rule) }

    func with(_ placeholder: String, _ text: String) -> Ruling {
        var copy = self
        copy.effect = effect.replacing("{\(placeholder)}", with: text)
        copy.cure = cure?.replacing("{\(placeholder)}", with: text)
        return copy
    }

    /// Every row, by what changes: entities, attributes, relationships, and settings that are not stored.
    package static let table: [(title: String, rows: [Ruling])] = [
        ("Entities", entities),
        ("Attributes", attributes),
        ("Types of attributes", types),
        ("Composite attributes", composites),
        ("Relationships", relationships),
        ("What is not stored", settings),
    ]
}

extension RulingDraft<(verdict: Verdict, rule: RuleID)> {
    /// Completes the row; `seen` is where it was observed.
    func by(_ evidence: Evidence, _ seen: String? = nil) -> Ruling {
        Ruling(
            change: change,
            verdict: named.verdict,
            rule: named.rule,
            effect: effect,
            cure: cure,
            evidence: evidence,
            seen: seen
        )
    }
}

import Diagnostics

extension Rule {
    /// A value that is valid in its place.
    static let invalidValue = Rule(
        "invalid-value",
        .structure,
        .error,
        summary: "A value that is valid in its place",
        rationale: """
            A flag is `YES` or `NO`, a delete rule is one of four, a default fits its \
            type.
            """,
        passing: [
            "<entity name='A' isAbstract='NO'/>"
        ],
        failing: [
            "<entity name='A' ◀isAbstract='maybe'/>"
        ],
        check: .reading
    )
}

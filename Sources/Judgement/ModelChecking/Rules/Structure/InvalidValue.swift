import Diagnostics

extension Rule {
    static let invalidValue = Rule(
        .named("invalid-value", .structure, .error),
        summary: "A valid value of an XML attribute",
        rationale: """
            A flag is `YES` or `NO`, a count is a number, a default fits its type.
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

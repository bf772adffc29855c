import Diagnostics

extension Rule {
    static let unmatchedLoss = Rule(
        .named(.unmatchedLoss, .style, .note),
        summary: "Every loss that is named is one",
        rationale: """
            A name under `losses:` or `allowDataLoss:` in `.momtool.yml`, or in a lock, means nothing: there \
            is no such version, entity or property, or the step does not lose it. It is a typing error, or \
            was left behind, and may allow the wrong thing later. The name that may have been meant is shown.
            """,
        check: .stages
    )
}

import Diagnostics

extension Rule {
    static let unmatchedLoss = Rule(
        .named(.unmatchedLoss, .style, .note, by: .stages),
        summary: "Every allowed loss exists",
        rationale: """
            A name under `losses:` or `allowDataLoss:` in `.momtool.yml`, or in a lock, has no effect: there is no \
            such version, entity or property, or the step does not drop it. It is misspelled or outdated, and may \
            allow the wrong thing later. The finding shows the name that may have been intended.
            """
    )
}

import Diagnostics

extension Rule {
    static let stageOrder = Rule(
        .named("stage-order", .versions, .error),
        summary: "Each stage is a step of the list of versions",
        rationale: """
            Stages lead from a version of `schemas` to the next one. Stores cannot take a stage that skips a \
            version, leads back, or names a version that is not \
            listed.
            """,
        check: .reading
    )
}

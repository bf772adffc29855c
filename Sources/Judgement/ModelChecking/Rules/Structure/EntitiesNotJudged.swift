import Diagnostics

extension Rule {
    static let entitiesNotJudged = Rule(
        .named("entities-not-judged", .structure, .note),
        summary: "All entities of Swift sources are compared",
        rationale: """
            Entities that momtool does not understand have no hash, so it knows nothing about their \
            versions, steps and losses: a passing check does not cover them. Each is named by \
            `swift-not-understood`; this finding counts them.
            """,
        check: .reading
    )
}

import Diagnostics

extension Rule {
    static let entitiesNotJudged = Rule(
        .named("entities-not-judged", .structure, .note),
        summary: "All entities of Swift sources are compared",
        rationale: """
            Entities that are not understood have no hash, so that nothing is known of their \
            versions, steps and losses: what is green is green without them. Each is named by \
            `swift-not-understood`; this line says how many there are.
            """,
        check: .reading
    )
}

import Diagnostics

extension Rule {
    static let cloudkitCrossingRelationship = Rule(
        .named("cloudkit-crossing-relationship", .cloudKit, .error),
        summary: "Relationships stay within the mirrored configuration",
        rationale: """
            The destination's objects would not be in the zone. Core Data allows no \
            relationship between stores; use a fetched property or an identifier.
            """,
        check: .schema
    )
}

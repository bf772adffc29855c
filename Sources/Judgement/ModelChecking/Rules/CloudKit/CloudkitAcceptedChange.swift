import Diagnostics

extension Rule {
    static let cloudkitAcceptedChange = Rule(
        .named("cloudkit-accepted-change", .cloudKit, .note),
        summary: "Additions of a new schema",
        rationale: """
            Production accepts new record types and fields.
            """,
        check: .schemaStep
    )
}

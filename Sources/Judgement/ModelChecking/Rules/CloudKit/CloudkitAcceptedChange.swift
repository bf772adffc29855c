import Diagnostics

extension Rule {
    static let cloudkitAcceptedChange = Rule(
        .named("cloudkit-accepted-change", .cloudKit, .note),
        summary: "What a new schema adds",
        rationale: """
            Production takes new record types and fields.
            """,
        check: .schemaStep
    )
}

import Diagnostics

extension Rule {
    /// What a new schema adds.
    static let cloudkitAcceptedChange = Rule(
        "cloudkit-accepted-change",
        .cloudKit,
        .note,
        summary: "What a new schema adds",
        rationale: """
            Production takes new record types and fields.
            """,
        check: .schemaStep
    )
}

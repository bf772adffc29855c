import Diagnostics

extension Rule {
    /// A plan has a stage for each step.
    static let stageMissing = Rule(
        "stage-missing",
        .versions,
        .error,
        summary: "A plan has a stage for each step",
        rationale: """
            Without a stage between two versions of the list the plan cannot be walked from the \
            older one.
            """,
        check: .reading
    )
}

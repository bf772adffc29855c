import Diagnostics

extension Rule {
    /// Everything that is found can be checked.
    static let notChecked = Rule(
        "not-checked",
        .structure,
        .error,
        summary: "Everything that is found can be checked",
        rationale: """
            A model, configuration, lock or stages file could not be read at all, so that nothing is known \
            of it. The message says why.
            """,
        check: .project
    )
}

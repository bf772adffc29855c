import Diagnostics

extension Rule {
    /// Each version has an identifier of its own.
    static let identifierReused = Rule(
        "identifier-reused",
        .versions,
        .error,
        summary: "Each version has an identifier of its own",
        rationale: """
            Two versions with one identifier cannot be told apart by people, and reports speak \
            of trouble where the plan and a store disagree on it.
            """,
        check: .reading
    )
}

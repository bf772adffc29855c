import Diagnostics

extension Rule {
    static let identifierReused = Rule(
        .named("identifier-reused", .versions, .error),
        summary: "Each version has an identifier of its own",
        rationale: """
            Two versions with one identifier cannot be told apart by people, and reports speak \
            of trouble where the plan and a store disagree on it.
            """,
        check: .reading
    )
}

import Diagnostics

extension Rule {
    static let identifierReused = Rule(
        .named("identifier-reused", .versions, .error),
        summary: "Each version has its own identifier",
        rationale: """
            People cannot distinguish two versions with the same identifier, and there are reports \
            of problems if the plan and a store disagree about it.
            """,
        check: .reading
    )
}

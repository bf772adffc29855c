import Diagnostics

extension Rule {
    /// Stores of every version come to the current one.
    static let versionCannotOpen = Rule(
        "version-cannot-open",
        .migration,
        .error,
        summary: "Stores of every version come to the current one",
        rationale: """
            Core Data refuses the step from an older version to the current one, no mapping model is for it, \
            and no chain of steps leads there. Users of that version cannot update. `momtool plan` shows the \
            step and what would make it legal. What rests on a guess is a warning.
            """,
        check: .project
    )
}

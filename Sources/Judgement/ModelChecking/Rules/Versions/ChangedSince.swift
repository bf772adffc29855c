import Diagnostics

extension Rule {
    /// What differs from a revision is told.
    static let changedSince = Rule(
        "changed-since",
        .versions,
        .note,
        summary: "What differs from a revision is told",
        rationale: """
            With `--against`, `momtool check` lists what differs between the current version at that revision and \
            the one at hand, so that a review sees it.
            """,
        check: .project
    )
}

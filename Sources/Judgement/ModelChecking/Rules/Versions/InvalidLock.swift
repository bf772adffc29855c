import Diagnostics

extension Rule {
    /// A lock that can be read.
    static let invalidLock = Rule(
        "invalid-lock",
        .versions,
        .error,
        summary: "A lock that can be read",
        rationale: """
            The lock is a text file that `momtool lock` writes; after a merge \
            conflict, keep the blocks of both sides.
            """,
        check: .lock
    )
}

import Diagnostics

extension Rule {
    /// Locked versions stand in the order of their lock.
    static let lockedVersionsReordered = Rule(
        "locked-versions-reordered",
        .versions,
        .error,
        summary: "Locked versions stand in the order of their lock",
        rationale: """
            The order of versions is that of their names; new ones come behind those \
            that shipped. A name that sorts before a locked version changes what the \
            previous version of each step is. A version that shipped and that the lock has no more is taken for a new one: \
            bring its block back.
            """,
        check: .lock
    )
}

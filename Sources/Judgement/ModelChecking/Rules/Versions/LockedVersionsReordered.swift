import Diagnostics

extension Rule {
    static let lockedVersionsReordered = Rule(
        .named("locked-versions-reordered", .versions, .error),
        summary: "Locked versions stand in the order of their lock",
        rationale: """
            New versions come behind those that shipped, which stand in the order of \
            their lock. One whose number is lower than that of a locked one comes before \
            it, which changes what the previous version of each step is: give it another \
            name, or list the versions under `order:` in `.momtool.yml`. A version that \
            shipped and that the lock has no more is taken for a new one: bring its block \
            back.
            """,
        check: .lock
    )
}

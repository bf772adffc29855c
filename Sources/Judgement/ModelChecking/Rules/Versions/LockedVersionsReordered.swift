import Diagnostics

extension Rule {
    static let lockedVersionsReordered = Rule(
        .named("locked-versions-reordered", .versions, .error),
        summary: "Locked versions are in the order of their lock",
        rationale: """
            New versions come after those that shipped, which are in the order of \
            their lock. One whose number is lower than that of a locked one comes before \
            it, which changes what the previous version of each step is: give it another \
            name, or list the versions under `order:` in `.momtool.yml`. A version that \
            shipped but is missing in the lock counts as new: restore its block \
            there.
            """,
        check: .lock
    )
}

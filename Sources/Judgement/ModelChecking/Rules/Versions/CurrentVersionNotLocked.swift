import Diagnostics

extension Rule {
    static let currentVersionNotLocked = Rule(
        .named("current-version-not-locked", .versions, .note),
        summary: "The current version is locked once it ships",
        rationale: """
            The current version ships next. Lock it with `momtool lock` when \
            it does, so that it cannot change from then on. With `--release`, for release branches and \
            tags, it is an error.
            """,
        check: .lock
    )
}

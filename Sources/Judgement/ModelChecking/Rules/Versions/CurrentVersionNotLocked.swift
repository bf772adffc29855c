import Diagnostics

extension Rule {
    static let currentVersionNotLocked = Rule(
        .named("current-version-not-locked", .versions, .note),
        summary: "The current version is locked once it ships",
        rationale: """
            The current version is what ships next. Lock it with `momtool lock` when \
            it does, so that it stays as it is from then on. With `--release`, for release branches and \
            tags, it is an error.
            """,
        check: .lock
    )
}

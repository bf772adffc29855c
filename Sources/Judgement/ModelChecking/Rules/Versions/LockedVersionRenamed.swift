import Diagnostics

extension Rule {
    static let lockedVersionRenamed = Rule(
        .named("locked-version-renamed", .versions, .note),
        summary: "A locked version keeps its name",
        rationale: """
            A version is known by its hashes: under another name it opens the same stores, for example where models of \
            SwiftData became those of `SchemaV1`. `momtool lock` takes the new name over, and the version keeps its place in the \
            order of the lock. Lists of stages and mapping \
            models that call it by the old name must follow.
            """,
        fix: .keepingHash("writes the new name into the lock"),
        check: .lock
    )
}

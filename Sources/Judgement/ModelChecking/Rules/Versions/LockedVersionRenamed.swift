import Diagnostics

extension Rule {
    static let lockedVersionRenamed = Rule(
        .named("locked-version-renamed", .versions, .note),
        summary: "A locked version keeps its name",
        rationale: """
            A version is identified by its hashes: under another name it opens the same stores, for example if models of \
            SwiftData became those of `SchemaV1`. `momtool lock` records the new name, and the version keeps its position in the \
            order of the lock. Lists of stages and mapping \
            models that use the old name must change too.
            """,
        fix: .keepingHash("writes the new name into the lock"),
        check: .lock
    )
}

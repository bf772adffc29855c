import Diagnostics

extension Rule {
    static let unreadLock = Rule(
        .named("unread-lock", .versions, .warning),
        summary: "Every lock is compared with a model",
        rationale: """
            The name of a lock says what it covers: `X.lock` the sources at `X`, `SwiftData.lock` those of its \
            folder. If no model is there, for example after a folder or a bundle was moved, nothing is compared with it, and \
            an edit of a version that shipped goes unnoticed. The hashes of its versions show where they are now.
            """,
        check: .project
    )
}

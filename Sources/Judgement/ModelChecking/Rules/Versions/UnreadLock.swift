import Diagnostics

extension Rule {
    static let unreadLock = Rule(
        .named("unread-lock", .versions, .warning),
        summary: "Every lock is compared with a model",
        rationale: """
            A lock says by its name what it is about: `X.lock` the sources at `X`, `SwiftData.lock` those of its \
            folder. Where no model is there, as after a folder or a bundle was moved, nothing is compared with it, and \
            an edit of a version that shipped goes unseen. Where its versions are is found by their hashes.
            """,
        check: .project
    )
}

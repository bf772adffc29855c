import Diagnostics

extension Rule {
    /// A locked version keeps its name.
    static let lockedVersionRenamed = Rule(
        "locked-version-renamed",
        .versions,
        .error,
        summary: "A locked version keeps its name",
        rationale: """
            The version is there under another name. Stores open all the same, but \
            stage lists and mapping models that name it break. Give it its name back, \
            or lock it again.
            """,
        check: .lock
    )
}

import Diagnostics

extension Rule {
    /// A locked version is in the bundle.
    static let lockedVersionRemoved = Rule(
        "locked-version-removed",
        .versions,
        .error,
        summary: "A locked version is in the bundle",
        rationale: """
            Stores of a version that was removed can no longer be migrated: Core Data \
            needs their model (134130). Restore it from version control.
            """,
        check: .lock
    )
}

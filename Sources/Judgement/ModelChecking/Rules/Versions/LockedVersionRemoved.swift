import Diagnostics

extension Rule {
    static let lockedVersionRemoved = Rule(
        .named("locked-version-removed", .versions, .error),
        summary: "A locked version is in the bundle",
        rationale: """
            Stores of a version that was removed can no longer be migrated: Core Data \
            needs their model (134130). Restore it from version control. `momtool check --against` finds a model that was \
            deleted together with its lock, too; one that was moved is known by its hashes, in a place that did not have them \
            before. Where no store has a version \
            any more, a line `pruned DAY` below its checksum says so in the lock, also when the whole model is gone. A version of SwiftData \
            that was dropped from the migration plan is removed just as well: SwiftData opens no store of it (134504).
            """,
        check: .lock
    )
}

import Diagnostics

extension Rule {
    static let lockedVersionRemoved = Rule(
        .named("locked-version-removed", .versions, .error),
        summary: "A locked version is in the bundle",
        rationale: """
            Stores of a removed version can no longer be migrated: Core Data \
            needs their model (134130). Restore it from version control. `momtool check --against` finds a model that was \
            deleted together with its lock; a moved one is recognized by its hashes, in a location that did not have them \
            before. If no store has a version \
            any more, say so in the lock with a line `pruned DAY` below its checksum, also if the whole model was removed. A SwiftData version \
            that the migration plan no longer lists counts as removed: SwiftData cannot open its stores (134504).
            """,
        check: .lock
    )
}

import Diagnostics

extension Rule {
    static let lockedVersionEdited = Rule(
        .named("locked-version-edited", .versions, .error),
        summary: "A locked version has the hashes of its lock",
        rationale: """
            A version that shipped was edited: stores in the field no longer match it, \
            and Core Data cannot find the model they were made with (134130). Restore \
            the version from version control and make the edit in a new version. If it \
            never shipped, lock it again with `momtool lock --relock`. An addition that \
            needs no value, to SwiftData sources without a migration plan, is a note: \
            SwiftData infers that step automatically.
            """,
        check: .lock
    )
}

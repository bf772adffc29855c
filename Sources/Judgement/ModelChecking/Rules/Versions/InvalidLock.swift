import Diagnostics

extension Rule {
    static let invalidLock = Rule(
        .named("invalid-lock", .versions, .error),
        summary: "A lock that can be read",
        rationale: """
            The lock is a text file that `momtool lock` writes. After a merge conflict keep the blocks of all versions that \
            shipped; if both sides have different versions of the same name, one of them needs \
            another name. As git's merge driver, `momtool model merge` keeps the versions of both sides automatically.
            """,
        check: .lock
    )
}

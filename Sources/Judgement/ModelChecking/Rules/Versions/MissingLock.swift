import Diagnostics

extension Rule {
    static let missingLock = Rule(
        .named("missing-lock", .versions, .warning),
        summary: "A lock stays as long as its model does",
        rationale: """
            `momtool check --against` compares with the locks of the revision too. If one of them was removed but its model \
            still exists, nothing protects the shipped versions from edits. The same holds for a \
            version that exists but is no longer in any lock, unless it is listed under `lock: unshipped:` in \
            `.momtool.yml`.
            """,
        check: .project
    )
}

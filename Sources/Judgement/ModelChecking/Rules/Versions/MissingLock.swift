import Diagnostics

extension Rule {
    static let missingLock = Rule(
        .named("missing-lock", .versions, .warning),
        summary: "A lock stays as long as its model does",
        rationale: """
            `momtool check --against` compares with the locks of the revision, too. Where one of them is gone and its model \
            is still there, nothing keeps the versions that shipped from being edited from now on. The same holds for a \
            version that is there and that no lock has any more, unless it stands under `lock: unshipped:` in \
            `.momtool.yml`.
            """,
        check: .project
    )
}

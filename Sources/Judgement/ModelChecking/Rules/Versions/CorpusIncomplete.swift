import Diagnostics

extension Rule {
    static let corpusIncomplete = Rule(
        .named("corpus-incomplete", .versions, .warning),
        summary: "The corpus has a store of every version that shipped",
        rationale: """
            A folder with `corpus.json` holds a store of each version that users have, so that every change is tried on all of them \
            (`momtool test --corpus`). A version of the lock that has none there is not tried.
            """,
        check: .project
    )
}

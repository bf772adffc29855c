import Diagnostics

extension Rule {
    static let corpusIncomplete = Rule(
        .named("corpus-incomplete", .versions, .warning),
        summary: "The corpus has a store of every shipped version",
        rationale: """
            A folder with `corpus.json` holds a store of each version that users have, so that every change is tested on all of them \
            (`momtool test --corpus`). A version of the lock without a store there is not tested.
            """,
        check: .project
    )
}

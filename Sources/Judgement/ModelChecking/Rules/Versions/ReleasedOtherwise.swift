import Diagnostics

extension Rule {
    static let releasedOtherwise = Rule(
        .named("released-otherwise", .versions, .note),
        summary: "A version has the contents that its releases had",
        rationale: """
            Where a model has no lock, the tags of its repository tell what shipped; `releases:` in `.momtool.yml` says which \
            tags are releases. A version that was edited after a release has left stores behind that are of no version any \
            more. `momtool lock` records what each release had, so that `momtool doctor` and `momtool identify` know such \
            stores.
            """,
        check: .project
    )
}

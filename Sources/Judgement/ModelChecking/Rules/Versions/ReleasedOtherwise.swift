import Diagnostics

extension Rule {
    static let releasedOtherwise = Rule(
        .named("released-otherwise", .versions, .note),
        summary: "A version has the contents that its releases had",
        rationale: """
            If a model has no lock, the tags of its repository show what shipped; `releases:` in `.momtool.yml` says which \
            tags are releases. A version that was edited after a release has left stores behind that match no version any \
            more. `momtool lock` records what each release had, so that `momtool doctor` and `momtool identify` recognize such \
            stores.
            """,
        check: .project
    )
}

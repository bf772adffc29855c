import Diagnostics

extension Rule {
    static let changedSince = Rule(
        .named("changed-since", .versions, .note),
        summary: "What differs from a revision is told",
        rationale: """
            With `--against`, `momtool check` lists what differs between the current version at that revision and \
            the one at hand, so that a review sees it. Where the revision has no lock of a model, a version that is gone since \
            is a warning, and so is the whole model.
            """,
        check: .project
    )
}

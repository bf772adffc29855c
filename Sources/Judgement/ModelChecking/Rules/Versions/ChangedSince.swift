import Diagnostics

extension Rule {
    static let changedSince = Rule(
        .named("changed-since", .versions, .note),
        summary: "Differences from a revision are reported",
        rationale: """
            With `--against`, `momtool check` lists what differs between the current version at that revision and \
            the present one, for the review. If the revision has no lock of a model, a version removed since \
            is a warning, and so is a removed model.
            """,
        check: .project
    )
}

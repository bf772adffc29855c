import Diagnostics

extension Rule {
    static let containerListDiffers = Rule(
        .named("container-list-differs", .versions, .error),
        summary: "A container is opened with the last version of its plan",
        rationale: """
            The stages of a plan lead to its last version. A container with the plan and a list of \
            other classes needs a version that no stage leads to. Give it \
            `Schema(versionedSchema:)` of the last version, or add a version with the classes \
            of the list. It is a note if the plan has no stage: an app that shipped this way is known to open its stores.
            """,
        check: .reading
    )
}

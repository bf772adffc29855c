import Diagnostics

extension Rule {
    static let containerListDiffers = Rule(
        .named("container-list-differs", .versions, .error),
        summary: "A container is opened with the last version of its plan",
        rationale: """
            The stages of a plan lead to the last version that it lists. A container that is given the plan and a list of \
            other classes asks for a version that no stage leads to. Give it \
            `Schema(versionedSchema:)` of the last version, or add a version with the classes \
            of the list. It is a note where the plan has no stage: an app that ships so is known to open its stores.
            """,
        check: .reading
    )
}

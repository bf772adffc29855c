import Diagnostics

extension Rule {
    /// Projects around the model can be read.
    static let unreadableProject = Rule(
        "unreadable-project",
        .versions,
        .warning,
        summary: "Projects around the model can be read",
        rationale: """
            What a project says of the model is compared with the model. A project that cannot be \
            read, such as one with merge conflict markers, is skipped.
            """,
        check: .reading
    )
}

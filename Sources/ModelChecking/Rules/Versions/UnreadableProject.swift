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
            read, as one with the marks of a merge conflict, is left out.
            """,
        check: .reading
    )
}

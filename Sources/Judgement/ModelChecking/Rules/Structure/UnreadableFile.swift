import Diagnostics

extension Rule {
    /// A path that can be read.
    static let unreadableFile = Rule(
        "unreadable-file",
        .structure,
        .error,
        summary: "A path that can be read",
        rationale: """
            The path names nothing, or a file that may not be read. Check the spelling \
            and the permissions.
            """,
        check: .reading
    )
}

import Diagnostics

extension Rule {
    static let unreadableFile = Rule(
        .named("unreadable-file", .structure, .error),
        summary: "A path that can be read",
        rationale: """
            The path does not exist, or the file cannot be read. Check the spelling \
            and the permissions.
            """,
        check: .reading
    )
}

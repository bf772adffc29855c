import Diagnostics

extension Rule {
    static let invalidArchivedValue = Rule(
        .named("invalid-archived-value", .structure, .error),
        summary: "Archived values that are valid in their place",
        rationale: """
            A compiled model holds a value of another kind than its place asks for; \
            the file is damaged or of another format.
            """,
        check: .reading
    )
}

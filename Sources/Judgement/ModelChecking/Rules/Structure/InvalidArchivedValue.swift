import Diagnostics

extension Rule {
    /// Archived values that are valid in their place.
    static let invalidArchivedValue = Rule(
        "invalid-archived-value",
        .structure,
        .error,
        summary: "Archived values that are valid in their place",
        rationale: """
            A compiled model holds a value of another kind than its place asks for; \
            the file is damaged or of another format.
            """,
        check: .reading
    )
}

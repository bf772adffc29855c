import Diagnostics

extension Rule {
    static let invalidArchivedValue = Rule(
        .named("invalid-archived-value", .structure, .error),
        summary: "Archived values of the expected kind",
        rationale: """
            A compiled model holds a value of an unexpected kind; \
            the file is damaged or of another format.
            """,
        check: .reading
    )
}

import Diagnostics

extension Rule {
    /// Archived classes of the known vocabulary.
    static let unknownArchivedClass = Rule(
        "unknown-archived-class",
        .structure,
        .warning,
        summary: "Archived classes of the known vocabulary",
        rationale: """
            A compiled model holds an object of a class that is not known; it is kept \
            out.
            """,
        check: .reading
    )
}

import Diagnostics

extension Rule {
    /// Archived keys of the known vocabulary.
    static let unknownArchivedKey = Rule(
        "unknown-archived-key",
        .structure,
        .warning,
        summary: "Archived keys of the known vocabulary",
        rationale: "A compiled model holds a key that is not known; it is kept.",
        check: .reading
    )
}

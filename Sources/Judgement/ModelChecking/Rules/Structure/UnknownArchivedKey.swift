import Diagnostics

extension Rule {
    /// Archived keys that are known.
    static let unknownArchivedKey = Rule(
        "unknown-archived-key",
        .structure,
        .warning,
        summary: "Archived keys that are known",
        rationale: "A compiled model holds a key that is not known; it is kept.",
        check: .reading
    )
}

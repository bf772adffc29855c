import Diagnostics

extension Rule {
    static let unknownArchivedKey = Rule(
        .named("unknown-archived-key", .structure, .warning),
        summary: "Archived keys that are known",
        rationale: "A compiled model contains an unknown key; it is kept.",
        check: .reading
    )
}

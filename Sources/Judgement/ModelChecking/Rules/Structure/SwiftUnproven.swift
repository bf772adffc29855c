import Diagnostics

extension Rule {
    static let swiftUnproven = Rule(
        .named("swift-unproven", .structure, .note),
        summary: "Hashes are confirmed by real stores",
        rationale: """
            This is the natural reading, but no known store confirms it. Compare the \
            hash with one that the app prints before you rely on it.
            """,
        check: .reading
    )
}

import Diagnostics

extension Rule {
    static let swiftUnproven = Rule(
        .named("swift-unproven", .structure, .note),
        summary: "Hashes are confirmed by real stores",
        rationale: """
            The natural reading is taken, but no store was at hand that shows it. Compare the \
            hash with one that the app printed before anything is built on it.
            """,
        check: .reading
    )
}

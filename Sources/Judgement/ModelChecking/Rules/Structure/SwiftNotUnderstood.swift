import Diagnostics

extension Rule {
    /// Every stored property has a form that is known from real stores.
    static let swiftNotUnderstood = Rule(
        "swift-not-understood",
        .structure,
        .warning,
        summary: "Every stored property has a form that is known from real stores",
        rationale: """
            What SwiftData makes of this property or index was never seen in a store, so that a \
            hash would be a guess. The entity has none; the others keep theirs. Say what a type \
            of another module is by `types:` in `.momtool.yml`, or write the type or the inverse \
            as the finding says.
            """,
        check: .reading
    )
}

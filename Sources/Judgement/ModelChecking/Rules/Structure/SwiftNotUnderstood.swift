import Diagnostics

extension Rule {
    static let swiftNotUnderstood = Rule(
        .named("swift-not-understood", .structure, .note),
        summary: "Every stored property has a form that is known from real stores",
        rationale: """
            What SwiftData makes of this property or index was never seen in a store, so that a \
            hash would be a guess. The entity has none; the others keep theirs. It is no fault of the \
            model, and a note, unless the lock knows the entity: then it is a warning, as nothing \
            compares it any more. Say what a type of another module is by `types:`, and which \
            relationship leads back by `inverses:`, in `.momtool.yml`; `momtool hash SOURCES --fit \
            STORE` finds the lines.
            """,
        check: .reading
    )
}

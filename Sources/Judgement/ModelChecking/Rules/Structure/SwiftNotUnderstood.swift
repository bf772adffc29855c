import Diagnostics

extension Rule {
    static let swiftNotUnderstood = Rule(
        .named("swift-not-understood", .structure, .note),
        summary: "Every stored property has a form known from real stores",
        rationale: """
            No known store shows what SwiftData makes of this property or index, so its \
            hash would be a guess. The entity has none; the others keep theirs. The model is not at \
            fault, so this is a note, unless the lock has the entity: then it is a warning, as nothing \
            compares it any more. Describe a type of another module under `types:`, and name the \
            inverse under `inverses:`, in `.momtool.yml`; `momtool hash SOURCES --fit \
            STORE` finds the lines.
            """,
        check: .reading
    )
}

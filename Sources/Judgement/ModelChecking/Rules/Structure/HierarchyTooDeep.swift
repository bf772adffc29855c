import Diagnostics

extension Rule {
    static let hierarchyTooDeep = Rule(
        .named("hierarchy-too-deep", .structure, .error),
        summary: "Hierarchies of no more than 64 levels",
        rationale: """
            Each entity inherits from all levels above it, so a long chain of parents \
            costs the square of its length. No real model comes near; a deeper hierarchy \
            is refused, once, at its first entity beyond the limit.
            """,
        check: .reading
    )
}

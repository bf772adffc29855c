import Diagnostics

extension Rule {
    static let duplicateName = Rule(
        .named("duplicate-name", .structure, .error),
        summary: "Names that are used once",
        rationale: """
            Core Data finds entities, properties, indexes and configurations by name; \
            of two with the same name, the later replaces the earlier, or the model is \
            refused.
            """,
        passing: [
            "<entity name='A'/><entity name='B'/>"
        ],
        failing: [
            "<entity name='A'/><entity ◀name='A'/>"
        ],
        fix: .keepingHash("removes exact duplicates"),
        check: .reading
    )
}

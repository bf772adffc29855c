import Diagnostics

extension Rule {
    static let mandatoryRelationshipAdded = Rule(
        .named("mandatory-relationship-added", .migration, .error),
        summary: "A mandatory relationship keeps its destination",
        rationale: """
            Existing objects have no destination if it leads to another entity. Make it optional, or \
            fill it in a custom stage.
            """,
        check: .planning
    )
}

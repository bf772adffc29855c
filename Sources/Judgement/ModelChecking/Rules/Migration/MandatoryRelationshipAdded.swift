import Diagnostics

extension Rule {
    static let mandatoryRelationshipAdded = Rule(
        .named("mandatory-relationship-added", .migration, .error),
        summary: "New relationships are optional",
        rationale: """
            Existing objects have nothing to put there (134110). Make it optional, or \
            fill it in a custom stage.
            """,
        check: .planning
    )
}

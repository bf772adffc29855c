import Diagnostics

extension Rule {
    /// New relationships are optional.
    static let mandatoryRelationshipAdded = Rule(
        "mandatory-relationship-added",
        .migration,
        .error,
        summary: "New relationships are optional",
        rationale: """
            Existing objects have nothing to put there (134110). Make it optional, or \
            fill it in a custom stage.
            """,
        check: .planning
    )
}

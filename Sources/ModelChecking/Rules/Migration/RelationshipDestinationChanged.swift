import Diagnostics

extension Rule {
    /// A relationship keeps its destination.
    static let relationshipDestinationChanged = Rule(
        "relationship-destination-changed",
        .migration,
        .error,
        summary: "A relationship keeps its destination",
        rationale: """
            Core Data infers nothing for links to another entity. Declare the \
            destination as renamed, or add a relationship of another name.
            """,
        check: .planning
    )
}

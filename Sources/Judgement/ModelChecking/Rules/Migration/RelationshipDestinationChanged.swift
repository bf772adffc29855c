import Diagnostics

extension Rule {
    /// A relationship keeps its destination.
    static let relationshipDestinationChanged = Rule(
        "relationship-destination-changed",
        .migration,
        .warning,
        summary: "A relationship keeps its destination",
        rationale: """
            Core Data migrates it, but links to objects that are none of the new \
            destination are dropped. Declare the destination as renamed if it was, or \
            move the links in a custom stage.
            """,
        check: .planning
    )
}

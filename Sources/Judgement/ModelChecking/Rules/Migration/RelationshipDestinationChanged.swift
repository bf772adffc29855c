import Diagnostics

extension Rule {
    static let relationshipDestinationChanged = Rule(
        .named("relationship-destination-changed", .migration, .warning),
        summary: "A relationship keeps its destination",
        rationale: """
            Core Data migrates it, but drops links to objects that do not belong to the new \
            destination. Declare the destination as renamed if it was, or \
            move the links in a custom stage.
            """,
        check: .planning
    )
}

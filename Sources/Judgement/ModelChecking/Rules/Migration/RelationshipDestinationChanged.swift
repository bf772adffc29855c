import Diagnostics

extension Rule {
    static let relationshipDestinationChanged = Rule(
        .named("relationship-destination-changed", .migration, .warning),
        summary: "A relationship keeps its destination",
        rationale: """
            Core Data migrates it, but links to objects that are none of the new \
            destination are dropped. Declare the destination as renamed if it was, or \
            move the links in a custom stage.
            """,
        check: .planning
    )
}

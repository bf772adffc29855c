import Diagnostics

extension Rule {
    static let unknownParentEntity = Rule(
        .named("unknown-parent-entity", .structure, .error),
        summary: "Parent entities that exist",
        rationale: """
            An entity whose parent is missing has no place in a hierarchy and no \
            table.
            """,
        passing: [
            "<entity name='B'/><entity name='A' parentEntity='B'/>"
        ],
        failing: [
            "<entity name='A' ◀parentEntity='B'/>"
        ],
        fix: .keepingHash("names the parent as it is called now, where it was renamed"),
        check: .reading
    )
}

import Diagnostics

extension Rule {
    static let unknownParentEntity = Rule(
        .named("unknown-parent-entity", .structure, .error),
        summary: "Parent entities that exist",
        rationale: """
            An entity whose parent is missing has no hierarchy and no \
            table.
            """,
        passing: [
            "<entity name='B'/><entity name='A' parentEntity='B'/>"
        ],
        failing: [
            "<entity name='A' ◀parentEntity='B'/>"
        ],
        fix: .keepingHash("uses the new name of the parent, if it was renamed"),
        check: .reading
    )
}

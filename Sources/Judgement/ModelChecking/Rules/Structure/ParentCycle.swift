import Diagnostics

extension Rule {
    static let parentCycle = Rule(
        .named("parent-cycle", .structure, .error),
        summary: "Hierarchies without cycles",
        rationale: "An entity that is its own ancestor has no root entity, and so no table.",
        passing: [
            "<entity name='B'/><entity name='A' parentEntity='B'/>"
        ],
        failing: [
            "<entity name='A' ◀parentEntity='B'/><entity name='B' parentEntity='A'/>"
        ],
        check: .reading
    )
}

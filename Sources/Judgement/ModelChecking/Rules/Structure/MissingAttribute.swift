import Diagnostics

extension Rule {
    static let missingAttribute = Rule(
        .named("missing-attribute", .structure, .error),
        summary: "An XML attribute that must be there",
        rationale: """
            Entities, properties, indexes and configurations are nothing without their \
            names.
            """,
        passing: [
            "<entity name='A'/>"
        ],
        failing: [
            "◀<entity/>"
        ],
        check: .reading
    )
}

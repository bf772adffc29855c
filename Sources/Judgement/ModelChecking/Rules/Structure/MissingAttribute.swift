import Diagnostics

extension Rule {
    static let missingAttribute = Rule(
        .named("missing-attribute", .structure, .error),
        summary: "A required XML attribute",
        rationale: """
            Entities, properties, indexes and configurations cannot be used without their \
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

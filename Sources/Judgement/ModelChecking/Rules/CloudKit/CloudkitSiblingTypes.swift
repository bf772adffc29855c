import Diagnostics

extension Rule {
    static let cloudkitSiblingTypes = Rule(
        .named("cloudkit-sibling-types", .cloudKit, .error),
        summary: "Properties of the same name in a hierarchy share a field",
        rationale: """
            All entities of a hierarchy share the record type of their root, so two \
            properties with the same name share a field, which has one type.
            """,
        check: .schema
    )
}

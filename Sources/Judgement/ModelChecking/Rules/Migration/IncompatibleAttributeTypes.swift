import Diagnostics

extension Rule {
    static let incompatibleAttributeTypes = Rule(
        .named("incompatible-attribute-types", .migration, .error),
        summary: "The types of an attribute before and after are compatible",
        rationale: """
            Core Data does not convert between these types (134190, "Source and \
            destination attribute types are incompatible"). Add a new attribute and \
            convert in a custom stage.
            """,
        check: .planning
    )
}

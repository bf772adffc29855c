import Diagnostics

extension Rule {
    static let swiftDuplicateClass = Rule(
        .named("swift-duplicate-class", .structure, .error),
        summary: "A version has one class of each name",
        rationale: """
            The entity has the name of the class without its enclosing types, so two \
            classes with the same name cannot be in one schema.
            """,
        check: .reading
    )
}

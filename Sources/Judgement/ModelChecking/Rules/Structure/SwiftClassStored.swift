import Diagnostics

extension Rule {
    static let swiftClassStored = Rule(
        .named("swift-class-stored", .structure, .error),
        summary: "Stored values are not objects of classes",
        rationale: """
            SwiftData makes a schema from the members of each value, and stops the app at launch if one is an object of a \
            class. Make it a struct, or exclude the property with `@Transient`. Refer to an object of a `@Model` class \
            by a relationship.
            """,
        appleText: "Class property within Persisted Struct/Enum is not supported: Handle",
        check: .reading
    )
}

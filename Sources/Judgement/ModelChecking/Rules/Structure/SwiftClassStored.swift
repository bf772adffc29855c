import Diagnostics

extension Rule {
    static let swiftClassStored = Rule(
        .named("swift-class-stored", .structure, .error),
        summary: "Stored values are of no class",
        rationale: """
            SwiftData makes a schema of the members of each value, and stops the app at its start where one is of a \
            class. Make it a struct, or leave the property out by `@Transient`. An object of a `@Model` class is \
            kept by a relationship of its own.
            """,
        appleText: "Class property within Persisted Struct/Enum is not supported: Handle",
        check: .reading
    )
}

import Diagnostics

extension Rule {
    static let classNotFound = Rule(
        .named("class-not-found", .apple, .warning),
        summary: "Classes of entities are found by their names",
        rationale: """
            Core Data looks a class up by its Objective-C name, which is `Module.Name` for one of Swift without \
            `@objc(Name)`. Where it finds none it makes objects of NSManagedObject instead, and casts fail.
            """,
        appleText: """
            Unable to load class named 'X' for entity 'Y'. Class not found, using default NSManagedObject instead.
            """,
        check: .project
    )
}

import Diagnostics

extension Rule {
    static let classNotFound = Rule(
        .named("class-not-found", .apple, .warning, by: .project),
        summary: "Core Data can find the class of each entity",
        rationale: """
            Core Data looks up a class by its Objective-C name, which is `Module.Name` for a Swift class without \
            `@objc(Name)`. If it finds none, it creates plain NSManagedObject objects, and casts fail.
            """,
        appleText: """
            Unable to load class named 'X' for entity 'Y'. Class not found, using default NSManagedObject instead.
            """
    )
}

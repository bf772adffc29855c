import Diagnostics

extension Rule {
    static let notAModel = Rule(
        .named("not-a-model", .structure, .error),
        summary: "A path to a Core Data model",
        rationale: """
            The file or folder is not an `.xcdatamodeld`, `.xcdatamodel`, `.momd`, `.mom` \
            or store, or its content does not match its name.
            """,
        check: .reading
    )
}

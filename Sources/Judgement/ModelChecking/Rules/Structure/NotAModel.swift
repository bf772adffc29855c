import Diagnostics

extension Rule {
    static let notAModel = Rule(
        .named("not-a-model", .structure, .error),
        summary: "A path that holds a Core Data model",
        rationale: """
            The file or folder is no `.xcdatamodeld`, `.xcdatamodel`, `.momd`, `.mom` \
            or store, or what it holds is something else than its name says.
            """,
        check: .reading
    )
}

import Diagnostics

extension Rule {
    static let optimizedModel = Rule(
        .named("optimized-model", .structure, .note),
        summary: "A compiled model that can be read",
        rationale: """
            Xcode compiles the current version twice: as `.mom`, and as `.omo`, whose form only \
            Core Data can read. If there is only an `.omo`, the model is not checked; \
            commands that need it end with an error.
            """,
        check: .reading
    )
}

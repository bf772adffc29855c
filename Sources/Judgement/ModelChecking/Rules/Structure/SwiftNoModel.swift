import Diagnostics

extension Rule {
    static let swiftNoModel = Rule(
        .named("swift-no-model", .structure, .error),
        summary: "Swift sources that are named as a model hold a `@Model` class",
        rationale: """
            The files were read, and no class in them is marked by `@Model`. Name the folder \
            that holds the classes.
            """,
        check: .reading
    )
}

import Diagnostics

extension Rule {
    static let swiftNoModel = Rule(
        .named("swift-no-model", .structure, .error),
        summary: "Swift sources given as a model contain a `@Model` class",
        rationale: """
            The files were read, but no class in them has `@Model`. Name the folder \
            that contains the classes.
            """,
        check: .reading
    )
}

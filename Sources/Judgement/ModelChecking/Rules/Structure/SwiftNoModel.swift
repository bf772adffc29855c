import Diagnostics

extension Rule {
    /// Swift sources that are named as a model hold a `@Model` class.
    static let swiftNoModel = Rule(
        "swift-no-model",
        .structure,
        .error,
        summary: "Swift sources that are named as a model hold a `@Model` class",
        rationale: """
            The files were read, and no class in them is marked by `@Model`. Name the folder \
            that holds the classes.
            """,
        check: .reading
    )
}

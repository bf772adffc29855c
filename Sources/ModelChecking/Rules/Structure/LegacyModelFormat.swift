import Diagnostics

extension Rule {
    /// A model in the format of today's Xcode.
    static let legacyModelFormat = Rule(
        "legacy-model-format",
        .structure,
        .note,
        summary: "A model in the format of Xcode 4 or later",
        rationale: """
            Until Xcode 3 a model was a folder with the files `elements` and `layout`. Xcode \
            still compiles it; momtool does not read it, so nothing is said about what is in it. \
            Opening and saving it in a later Xcode writes `contents`. Commands that need the \
            model end with an error.
            """,
        check: .reading
    )
}

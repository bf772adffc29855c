import Diagnostics

extension Rule {
    /// A model has at most a million properties, inherited ones included.
    static let modelTooLarge = Rule(
        "model-too-large",
        .migration,
        .error,
        summary: "A model has at most a million properties, inherited ones included",
        rationale: "Beyond the limit of what is compared; no real model comes near.",
        check: .planning
    )
}

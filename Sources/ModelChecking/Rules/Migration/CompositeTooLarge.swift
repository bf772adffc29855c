import Diagnostics

extension Rule {
    /// A composite attribute has a bounded number of values.
    static let compositeTooLarge = Rule(
        "composite-too-large",
        .migration,
        .error,
        summary: "A composite attribute has a bounded number of values",
        rationale: "Beyond the limit of what is compared; no real model comes near.",
        check: .planning
    )
}

import Diagnostics

extension Rule {
    static let compositeTooLarge = Rule(
        .named("composite-too-large", .migration, .error),
        summary: "A composite attribute has a bounded number of values",
        rationale: "Larger ones are not compared; no real model comes near this limit.",
        check: .planning
    )
}

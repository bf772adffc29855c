import Diagnostics

extension Rule {
    static let modelTooLarge = Rule(
        .named("model-too-large", .migration, .error),
        summary: "A model has at most a million properties, inherited ones included",
        rationale: "Larger ones are not compared; no real model comes near this limit.",
        check: .planning
    )
}

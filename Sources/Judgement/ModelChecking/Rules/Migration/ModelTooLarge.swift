import Diagnostics

extension Rule {
    static let modelTooLarge = Rule(
        .named("model-too-large", .migration, .error),
        summary: "A model has at most a million properties, including inherited ones",
        rationale: "Larger ones are not compared; no real model comes near this limit.",
        check: .planning
    )
}

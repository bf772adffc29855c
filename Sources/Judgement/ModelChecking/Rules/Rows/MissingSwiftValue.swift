import Diagnostics

extension Rule {
    static let missingSwiftValue = Rule(
        .named("missing-swift-value", .rows, .warning, by: .planning),
        summary: "Existing rows have a value for properties that are not optional in Swift",
        rationale: """
            In the model, a SwiftData enum may always be missing, even if its property is not optional, and a default \
            in Swift applies only to new objects. If such a property is new, or was optional, old rows have NULL: \
            nothing fails in a migration, but the app crashes when it reads one. Make the property optional, or fill \
            it in a custom stage. `momtool plan --store` and `momtool verify --model` count the rows.
            """
    )
}

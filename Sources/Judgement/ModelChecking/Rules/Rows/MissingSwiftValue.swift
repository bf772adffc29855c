import Diagnostics

extension Rule {
    static let missingSwiftValue = Rule(
        .named("missing-swift-value", .rows, .warning),
        summary: "Rows from before have a value for what is not optional in Swift",
        rationale: """
            An enum of SwiftData may always be missing in the model, whatever its property says, and a default in Swift is \
            one of new objects alone. Where such a property is new, or was optional, old rows have NULL: nothing fails in a \
            migration, and the app stops when it reads one. Make the property optional, or fill it in a custom stage. \
            `momtool plan --store` and `momtool verify --model` count the rows.
            """,
        check: .planning
    )
}

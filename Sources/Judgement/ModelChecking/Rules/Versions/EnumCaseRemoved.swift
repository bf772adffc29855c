import Diagnostics

extension Rule {
    static let enumCaseRemoved = Rule(
        .named("enum-case-removed", .versions, .warning),
        summary: "A stored enum keeps the raw values that rows may have",
        rationale: """
            The cases of an enum with raw values are not part of any hash, so no migration notices that one was removed or \
            has another raw value. If a row still has the old value, the app crashes when it reads it. Keep the case, give a renamed one its old raw \
            value (`case top = "high"`), or change the rows in a custom stage before the case \
            is removed. `momtool verify --model` and `momtool plan --store` count the rows of a store.
            """,
        check: .lock
    )
}

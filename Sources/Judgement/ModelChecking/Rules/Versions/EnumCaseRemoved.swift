import Diagnostics

extension Rule {
    static let enumCaseRemoved = Rule(
        .named("enum-case-removed", .versions, .warning),
        summary: "A stored enum keeps the raw values that rows may hold",
        rationale: """
            The cases of an enum with raw values are part of no hash, so that no migration tells that one was removed or \
            has another raw value. A row that still holds the old value stops the app when it is read. Keep the case, give a renamed one its old raw \
            value (`case top = "high"`), or change the rows in a custom stage before the case \
            goes. `momtool verify --model` and `momtool plan --store` count the rows of a store.
            """,
        check: .lock
    )
}

import Diagnostics

extension Rule {
    static let storeDeleted = Rule(
        .named("store-deleted", .migration, .warning),
        summary: "A store that does not open is kept",
        rationale: """
            Code that removes the store when loading fails turns each failed migration into the loss of all data. Move the \
            store aside instead, or leave it and report the error. The rule finds `destroyPersistentStore` and `removeItem` in \
            a `catch`, or where an error is examined, after a call that opens stores; code inside `#if DEBUG` is left out.
            """,
        check: .project
    )
}

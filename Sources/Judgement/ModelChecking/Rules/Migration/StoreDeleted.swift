import Diagnostics

extension Rule {
    static let storeDeleted = Rule(
        .named("store-deleted", .migration, .warning),
        summary: "A store that does not open is kept",
        rationale: """
            Code that removes the store where loading it fails turns each failed migration into a loss of everything. Move it \
            aside, or leave it and say so. Found are `destroyPersistentStore` and `removeItem` in a `catch`, or where an error \
            is looked at, behind a call that opens stores; not where `#if DEBUG` stands around.
            """,
        check: .project
    )
}

import Diagnostics

extension Rule {
    static let lockedEntityOpen = Rule(
        .named("locked-entity-open", .versions, .warning),
        summary: "A lock has all entities of a version that are understood",
        rationale: """
            An entity was not understood when its version was locked, so that the lock has its name alone. It is \
            understood now, as `types:` or `inverses:` say what was missing, and still nothing compares it. \
            `momtool lock` takes it in and changes nothing else; it must be as it shipped by then.
            """,
        check: .lock
    )
}

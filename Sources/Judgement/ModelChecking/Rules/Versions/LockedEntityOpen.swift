import Diagnostics

extension Rule {
    static let lockedEntityOpen = Rule(
        .named("locked-entity-open", .versions, .warning),
        summary: "A lock has all entities that momtool understands",
        rationale: """
            An entity was not understood when its version was locked, so the lock has only its name. It is \
            understood now, as `types:` or `inverses:` supply what was missing, but nothing compares it yet. \
            `momtool lock` records it and changes nothing else; before you run it, the entity must be as it shipped.
            """,
        check: .lock
    )
}

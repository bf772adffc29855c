import Diagnostics

extension Rule {
    static let planNotUsed = Rule(
        .named("plan-not-used", .versions, .warning),
        summary: "A container is opened with the declared migration plan",
        rationale: """
            A plan takes effect only if a container gets it: `ModelContainer(for:migrationPlan:configurations:)`. The \
            modifier `modelContainer(for:)` takes none; create the container and pass it to \
            `modelContainer(_:)`. Containers in memory are not checked.
            """,
        check: .reading
    )
}

import Diagnostics

extension Rule {
    static let planNotUsed = Rule(
        .named("plan-not-used", .versions, .warning),
        summary: "A container is opened with the plan that the sources declare",
        rationale: """
            A plan takes effect where a container is given it: `ModelContainer(for:migrationPlan:configurations:)`. The \
            modifier `modelContainer(for:)` takes none; make the container and give it to \
            `modelContainer(_:)`. Containers in memory are not looked at.
            """,
        check: .reading
    )
}

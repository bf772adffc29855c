import Diagnostics

extension Rule {
    static let migrationTestFailed = Rule(
        .named("migration-test-failed", .migration, .error),
        summary: "Cases and migrations of generated objects give the expected result",
        rationale: """
            A case failed, or the migration of generated objects from a version to the current one \
            drops data without permission or differs from what its mapping predicts. `momtool test` runs \
            the same and shows more.
            """,
        check: .project
    )
}

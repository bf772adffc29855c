import Diagnostics

extension Rule {
    static let migrationTestFailed = Rule(
        .named("migration-test-failed", .migration, .error),
        summary: "Cases and migrations of generated objects come out as expected",
        rationale: """
            A case was not met, or the migration of generated objects from a version to the current one \
            loses what went unnamed or gives another result than its mapping promises. `momtool test` runs \
            the same and shows more.
            """,
        check: .project
    )
}

import Diagnostics

extension Rule {
    static let migrationsNotRun = Rule(
        .named("migrations-not-run", .migration, .note),
        summary: "The migration of every version is tested with generated objects",
        rationale: """
            `check` generates at most 6,000 objects for a model, so that a long history does not delay a pull request. \
            It migrates the previous version and the oldest one first, then from new to old until the limit is reached, and says how many \
            versions are left. Their steps are still checked; `momtool test --matrix` migrates all of them.
            """,
        check: .project
    )
}

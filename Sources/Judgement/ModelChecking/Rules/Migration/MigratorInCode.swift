import Diagnostics

extension Rule {
    static let migratorInCode = Rule(
        .named("migrator-in-code", .migration, .note),
        summary: "The settings say how the app's code migrates stores",
        rationale: """
            Code that calls `NSMigrationManager`, or chooses a mapping model itself, most likely takes stores through every \
            version; Core Data takes one step. `migration: stepwise` or `migration: direct` in `.momtool.yml` says which.
            """,
        check: .project
    )
}

import Diagnostics

extension Rule {
    static let migratorInCode = Rule(
        .named("migrator-in-code", .migration, .note),
        summary: "The settings say how the app's code migrates stores",
        rationale: """
            Code that calls `NSMigrationManager`, or chooses a mapping model itself, most likely migrates stores version by \
            version; Core Data takes one step. Set `migration: stepwise` or `migration: direct` in `.momtool.yml`.
            """,
        check: .project
    )
}

import Diagnostics

extension Rule {
    static let versionCannotOpen = Rule(
        .named("version-cannot-open", .migration, .error),
        summary: "Stores of every version can migrate to the current one",
        rationale: """
            Core Data refuses the step from an older version to the current one, there is no mapping model for it, \
            and no list of stages leads there. Users of that version cannot update. A chain of steps through \
            other versions, as `momtool migrate` takes it, helps only an app whose own code takes it: set \
            `migration: stepwise` in `.momtool.yml`. `momtool plan` shows the step and what would make it legal. \
            A finding that rests on a guess is a warning. List versions that no user has any more under `lint: ignore:`.
            """,
        check: .stages
    )
}

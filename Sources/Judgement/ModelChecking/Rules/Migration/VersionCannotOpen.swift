import Diagnostics

extension Rule {
    static let versionCannotOpen = Rule(
        .named("version-cannot-open", .migration, .error),
        summary: "Stores of every version come to the current one",
        rationale: """
            Core Data refuses the step from an older version to the current one, no mapping model is for it, \
            and no list of stages leads there. Users of that version cannot update. A chain of steps through \
            other versions, which `momtool migrate` takes, helps only an app whose own code takes it: say \
            `migration: stepwise` in `.momtool.yml`. `momtool plan` shows the step and what would make it legal. \
            What rests on a guess is a warning. Versions that no user has any more are named under `lint: ignore:`.
            """,
        check: .stages
    )
}

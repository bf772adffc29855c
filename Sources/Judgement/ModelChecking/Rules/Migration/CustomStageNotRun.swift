package import Diagnostics

extension Rule {
    static let customStageNotRun = Rule(
        .named(.customStageNotRun, .migration, .note),
        summary: "Every custom stage of a plan can be tested",
        rationale: """
            A custom stage of a `SchemaMigrationPlan` runs Swift code that only the app can run: momtool cannot tell what it \
            keeps, fills or drops. With the plan itself, in `migrate --stages` or a `Migrator` with `stages:`, a store that \
            needs such a stage is refused unless handlers replace its functions; elsewhere it is a note. The losses of the step are therefore reported once for the step, and do not keep a version from being \
            locked. Write its effect in SQL or as a map in a stages file, or test the step with a case; intended losses can \
            still be allowed under `losses:`.
            """,
        check: .stages
    )
}

extension RuleID { package static let customStageNotRun: RuleID = "custom-stage-not-run" }

package import Diagnostics

extension Rule {
    static let customStageNotRun = Rule(
        .named(.customStageNotRun, .migration, .note),
        summary: "Every custom stage of a plan can be tried",
        rationale: """
            A custom stage of a `SchemaMigrationPlan` runs Swift, which only the app can run: what it keeps, fills or loses \
            is not known here. Where the plan itself is followed, by `migrate --stages` or by a `Migrator` with `stages:`, a store that \
            needs such a stage is refused, unless handlers stand in for its functions; elsewhere it is a note. So what the step drops, or asks of rows, is told once for the step, and keeps no version from being \
            locked. Write its effect in SQL or as a map in a stages file, or test the step by a case; what is meant to be \
            lost can still be named under `losses:`.
            """,
        check: .stages
    )
}

extension RuleID {
    package static let customStageNotRun: RuleID = "custom-stage-not-run"
}

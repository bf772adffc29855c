import Diagnostics

extension Rule {
    static let stageFetchesOtherType = Rule(
        .named("stage-fetches-other-type", .versions, .error),
        summary: "The functions of a stage fetch classes of its versions",
        rationale: """
            While willMigrate runs, the store has the classes of the old version; while didMigrate \
            runs, those of the new one. A fetch of any other class, such as the one that the app \
            uses now, crashes the app.
            """,
        check: .reading
    )
}

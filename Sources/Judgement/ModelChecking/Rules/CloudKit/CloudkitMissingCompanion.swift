import Diagnostics

extension Rule {
    static let cloudkitMissingCompanion = Rule(
        .named("cloudkit-missing-companion", .cloudKit, .warning),
        summary: "A field of variable length has a companion for large values",
        rationale: """
            A value that is too large for a field goes to the asset beside it, which \
            Production does not create automatically. A schema created by saving small \
            records has none: run `initializeCloudKitSchema` in Development, or import \
            what `momtool cloudkit schema` prints.
            """,
        check: .schema
    )
}

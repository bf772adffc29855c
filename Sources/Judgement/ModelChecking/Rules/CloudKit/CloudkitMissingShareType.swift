import Diagnostics

extension Rule {
    static let cloudkitMissingShareType = Rule(
        .named("cloudkit-missing-share-type", .cloudKit, .error),
        summary: "The schema of an app that shares records has the record type of shares",
        rationale: """
            `cloudkit.share` appears when the first share is saved in Development; in \
            Production it must exist beforehand. Checked with `--sharing`.
            """,
        check: .schema
    )
}

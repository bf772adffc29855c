import Diagnostics

extension Rule {
    static let cloudkitMissingReceipt = Rule(
        .named("cloudkit-missing-receipt", .cloudKit, .warning),
        summary: "A record type has the fields that records are moved and shared by",
        rationale: """
            Mirroring keeps there how a record came into its zone. An app that shares \
            records needs them, so that `--sharing` makes this an error.
            """,
        check: .schema
    )
}

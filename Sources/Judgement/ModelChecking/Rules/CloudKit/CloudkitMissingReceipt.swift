import Diagnostics

extension Rule {
    static let cloudkitMissingReceipt = Rule(
        .named("cloudkit-missing-receipt", .cloudKit, .warning),
        summary: "A record type has the fields for moving and sharing records",
        rationale: """
            Mirroring records there how a record came into its zone. An app that shares \
            records needs them, so `--sharing` makes this an error.
            """,
        check: .schema
    )
}

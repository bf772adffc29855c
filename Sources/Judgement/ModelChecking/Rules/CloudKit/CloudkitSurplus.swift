import Diagnostics

extension Rule {
    static let cloudkitSurplus = Rule(
        .named("cloudkit-surplus", .cloudKit, .note),
        summary: "Record types and fields that the model does not have",
        rationale: """
            This is normal: a production schema keeps what older versions wrote, and \
            record types of the app's own.
            """,
        check: .schema
    )
}

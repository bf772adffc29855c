import Diagnostics

extension Rule {
    /// Record types and fields that nothing in the model makes.
    static let cloudkitSurplus = Rule(
        "cloudkit-surplus",
        .cloudKit,
        .note,
        summary: "Record types and fields that nothing in the model makes",
        rationale: """
            That is normal: a production schema keeps what older versions wrote, and \
            record types of the app's own.
            """,
        check: .schema
    )
}

import Diagnostics

extension Rule {
    /// Indexes, grants and roles that change.
    static let cloudkitSettingsChange = Rule(
        "cloudkit-settings-change",
        .cloudKit,
        .note,
        summary: "Indexes, grants and roles that change",
        rationale: """
            They concern no values. A field of the server whose line is left out stays, \
            and loses its index.
            """,
        check: .schemaStep
    )
}

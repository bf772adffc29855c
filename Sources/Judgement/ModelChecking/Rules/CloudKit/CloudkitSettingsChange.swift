import Diagnostics

extension Rule {
    static let cloudkitSettingsChange = Rule(
        .named("cloudkit-settings-change", .cloudKit, .note),
        summary: "Indexes that change",
        rationale: """
            They concern no values. A field of the server whose line is left out stays, \
            and loses its index.
            """,
        check: .schemaStep
    )
}

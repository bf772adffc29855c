import Diagnostics

extension Rule {
    static let cloudkitSettingsChange = Rule(
        .named("cloudkit-settings-change", .cloudKit, .note),
        summary: "Changes of indexes",
        rationale: """
            They do not affect values. A field on the server whose line is left out stays \
            but loses its index.
            """,
        check: .schemaStep
    )
}

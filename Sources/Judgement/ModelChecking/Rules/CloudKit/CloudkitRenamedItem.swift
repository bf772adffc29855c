import Diagnostics

extension Rule {
    static let cloudkitRenamedItem = Rule(
        .named("cloudkit-renamed-item", .cloudKit, .warning),
        summary: "A rename is a new field beside the old one",
        rationale: """
            CloudKit has no renames. The new field begins empty; the old one keeps \
            its values, and older versions of the app still write it.
            """,
        check: .schemaStep
    )
}

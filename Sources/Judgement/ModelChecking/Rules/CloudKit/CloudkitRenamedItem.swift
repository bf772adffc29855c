import Diagnostics

extension Rule {
    static let cloudkitRenamedItem = Rule(
        .named("cloudkit-renamed-item", .cloudKit, .warning),
        summary: "A rename is a new field beside the old one",
        rationale: """
            CloudKit knows no renames. The new field begins empty; the old one stays with \
            its values, and older versions of the app go on writing it.
            """,
        check: .schemaStep
    )
}

import Diagnostics

extension Rule {
    static let cloudkitRefusedChange = Rule(
        .named("cloudkit-refused-change", .cloudKit, .error),
        summary: "A new schema keeps everything that Production has",
        rationale: """
            Production only grows. A schema that lacks one of its record types or fields, \
            or changes its type or encryption, is refused, and nothing of it is \
            deployed.
            """,
        check: .schemaStep
    )
}

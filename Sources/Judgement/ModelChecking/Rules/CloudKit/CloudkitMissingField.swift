import Diagnostics

extension Rule {
    static let cloudkitMissingField = Rule(
        .named("cloudkit-missing-field", .cloudKit, .error),
        summary: "A mirrored property has a field in the schema",
        rationale: """
            Production creates nothing automatically: a save with a value for the property \
            fails with «Cannot create or modify field». Deploy the schema with the field \
            first.
            """,
        check: .schema
    )
}

import Diagnostics

extension Rule {
    static let cloudkitMissingField = Rule(
        .named("cloudkit-missing-field", .cloudKit, .error),
        summary: "A property that is mirrored has a field in the schema",
        rationale: """
            Production makes nothing by itself: a save that has a value for the property \
            fails with «Cannot create or modify field». Deploy the schema with the field \
            first.
            """,
        check: .schema
    )
}

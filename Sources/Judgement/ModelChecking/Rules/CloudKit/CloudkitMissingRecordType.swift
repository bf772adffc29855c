import Diagnostics

extension Rule {
    static let cloudkitMissingRecordType = Rule(
        .named("cloudkit-missing-record-type", .cloudKit, .error),
        summary: "A mirrored entity has a record type in the schema",
        rationale: """
            Production creates nothing automatically: the first save of such an object fails \
            with «Cannot create new type». Deploy the schema with the type first.
            """,
        check: .schema
    )
}

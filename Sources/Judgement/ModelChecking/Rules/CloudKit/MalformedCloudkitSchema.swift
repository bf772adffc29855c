import Diagnostics

extension Rule {
    static let malformedCloudkitSchema = Rule(
        .named("malformed-cloudkit-schema", .cloudKit, .error),
        summary: "A valid CloudKit schema",
        rationale: """
            The text does not begin with `DEFINE SCHEMA`, or part of it is not a role, \
            record type, field or grant of the CloudKit Schema Language. Export the schema \
            again, or correct the line.
            """,
        check: .schema
    )
}

import Diagnostics

extension Rule {
    static let malformedCloudkitSchema = Rule(
        .named("malformed-cloudkit-schema", .cloudKit, .error),
        summary: "A text that is a CloudKit schema",
        rationale: """
            The text does not begin with `DEFINE SCHEMA`, or something in it is no role, \
            record type, field or grant of the CloudKit Schema Language. Export the schema \
            anew, or mend the line.
            """,
        check: .schema
    )
}

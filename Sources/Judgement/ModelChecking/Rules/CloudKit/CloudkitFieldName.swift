import Diagnostics

extension Rule {
    static let cloudkitFieldName = Rule(
        .named("cloudkit-field-name", .cloudKit, .error),
        summary: "Each name gives a field of its own, with a name that CloudKit allows",
        rationale: """
            Names are ASCII letters, digits and `_`. A property `entityName` or \
            `moveReceipt`, or `x_ckAsset` beside a string, binary or transformable `x`, \
            has the name of a field of mirroring; names that differ in the case of letters \
            only may be one to the server. The last two kinds are warnings.
            """,
        check: .schema
    )
}

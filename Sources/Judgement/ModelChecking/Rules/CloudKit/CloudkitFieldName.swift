import Diagnostics

extension Rule {
    static let cloudkitFieldName = Rule(
        .named("cloudkit-field-name", .cloudKit, .error),
        summary: "Each name gives its own field, with a name that CloudKit allows",
        rationale: """
            Names are ASCII letters, digits and `_`. A property `entityName` or \
            `moveReceipt`, or `x_ckAsset` beside a string, binary or transformable `x`, \
            has the name of a field that mirroring uses; names that differ only in letter \
            case may be the same to the server. The last two kinds are warnings.
            """,
        check: .schema
    )
}

import Diagnostics

extension Rule {
    static let cloudkitFieldType = Rule(
        .named("cloudkit-field-type", .cloudKit, .error),
        summary: "A field has the type that mirroring writes",
        rationale: """
            Mirroring writes one type for each kind of property: a to-one relationship is \
            a STRING, never a REFERENCE. A deployed field keeps its type permanently, so \
            a wrong one needs a property of another name.
            """,
        check: .schema
    )
}

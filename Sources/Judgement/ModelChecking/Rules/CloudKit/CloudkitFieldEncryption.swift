import Diagnostics

extension Rule {
    static let cloudkitFieldEncryption = Rule(
        .named("cloudkit-field-encryption", .cloudKit, .error),
        summary: "A field is encrypted where the model says so, and nowhere else",
        rationale: """
            Whether a field is encrypted cannot be changed once it is deployed. Take back \
            the change of the model, or give the property another name.
            """,
        check: .schema
    )
}

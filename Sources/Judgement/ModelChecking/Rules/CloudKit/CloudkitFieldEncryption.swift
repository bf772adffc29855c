import Diagnostics

extension Rule {
    static let cloudkitFieldEncryption = Rule(
        .named("cloudkit-field-encryption", .cloudKit, .error),
        summary: "A field is encrypted where the model says so, and nowhere else",
        rationale: """
            The encryption of a field cannot change once it is deployed. Undo \
            the change of the model, or give the property another name.
            """,
        check: .schema
    )
}

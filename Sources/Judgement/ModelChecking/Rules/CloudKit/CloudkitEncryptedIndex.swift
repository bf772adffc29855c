import Diagnostics

extension Rule {
    static let cloudkitEncryptedIndex = Rule(
        .named("cloudkit-encrypted-index", .cloudKit, .warning),
        summary: "Encrypted fields have no index",
        rationale: """
            The server cannot read their values, so it can neither search nor sort \
            by them.
            """,
        check: .schema
    )
}

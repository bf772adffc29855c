import Diagnostics

extension Rule {
    /// Encrypted fields have no index.
    static let cloudkitEncryptedIndex = Rule(
        "cloudkit-encrypted-index",
        .cloudKit,
        .warning,
        summary: "Encrypted fields have no index",
        rationale: """
            The server cannot read their values, so that it can neither find nor sort \
            them.
            """,
        check: .schema
    )
}

import Diagnostics

extension Rule {
    /// What no published schema has shown.
    static let cloudkitUnproven = Rule(
        "cloudkit-unproven",
        .cloudKit,
        .note,
        summary: "What no published schema has shown",
        rationale: """
            Apple's text says so, or it follows from what is known; no schema at hand has \
            an example. Compare with what `initializeCloudKitSchema` makes of the model \
            before you rely on it.
            """,
        check: .schema
    )
}

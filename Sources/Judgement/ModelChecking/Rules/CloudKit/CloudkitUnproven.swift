import Diagnostics

extension Rule {
    static let cloudkitUnproven = Rule(
        .named("cloudkit-unproven", .cloudKit, .note),
        summary: "Parts that no published schema confirms",
        rationale: """
            Apple's text says so, or it follows from what is known; no schema at hand has \
            an example. Compare with what `initializeCloudKitSchema` makes of the model \
            before you rely on it.
            """,
        check: .schema
    )
}

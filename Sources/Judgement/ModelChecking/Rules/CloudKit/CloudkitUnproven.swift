import Diagnostics

extension Rule {
    static let cloudkitUnproven = Rule(
        .named("cloudkit-unproven", .cloudKit, .note),
        summary: "Parts that no published schema confirms",
        rationale: """
            Apple's text says so, or it follows from known cases; no known schema has \
            an example. Compare it with what `initializeCloudKitSchema` creates for the model \
            before you rely on it.
            """,
        check: .schema
    )
}

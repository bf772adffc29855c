import Diagnostics

extension Rule {
    static let frozenVersionReachesLiveType = Rule(
        .named("frozen-version-reaches-live-type", .versions, .warning),
        summary: "A version that shipped contains all its types",
        rationale: """
            A `VersionedSchema` that lists or uses a class or struct outside itself changes \
            whenever that type is edited. Until then, the version has the hashes of \
            the stores that it wrote, and the app launches; after the next edit no store has these \
            hashes, and the app fails with 134504 at every launch. Seen in ShopWithMe#119, \
            KMReader#542 and #803, dashpay/platform#4644 and others. A lock detects an edit that has \
            happened (`locked-version-edited`), and `stages-fail` detects two versions that the type makes \
            equal. A type in a separate namespace, which developers use for such copies, is a note. \
            Commands that do not check models, such as `create` and `migrate`, ignore it.
            """,
        check: .reading
    )
}

import Diagnostics

extension Rule {
    static let frozenVersionReachesLiveType = Rule(
        .named("frozen-version-reaches-live-type", .versions, .warning),
        summary: "A version that shipped holds all its types itself",
        rationale: """
            A `VersionedSchema` that lists or reaches a class or a struct outside of it changes \
            whenever that is edited. As long as the type stays as it is, the version has the hashes of \
            the stores that it wrote, and an app starts; after the next edit they are those of no \
            store, and the app ends with 134504 at every start. Seen in ShopWithMe#119, \
            KMReader#542 and #803, dashpay/platform#4644 and others. A lock tells an edit that has \
            happened (`locked-version-edited`), and `stages-fail` two versions that the type makes \
            equal. A type in a namespace of its own, which people keep for such copies, is a note. \
            Commands that judge no model, such as `create` and `migrate`, pass over it.
            """,
        check: .reading
    )
}

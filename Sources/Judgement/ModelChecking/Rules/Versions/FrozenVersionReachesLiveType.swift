import Diagnostics

extension Rule {
    /// A version that shipped holds all its types itself.
    static let frozenVersionReachesLiveType = Rule(
        "frozen-version-reaches-live-type",
        .versions,
        .error,
        summary: "A version that shipped holds all its types itself",
        rationale: """
            A `VersionedSchema` that lists or reaches a class or a struct outside of it changes \
            whenever that is edited. Its hashes then are those of no store, and the app ends \
            with 134504 at every start. Seen in ShopWithMe#119, KMReader#542 and #803, \
            dashpay/platform#4644 and others. A type in a namespace of its own, which people keep for \
            such copies, is a note.
            """,
        check: .reading
    )
}

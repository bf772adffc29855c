import Diagnostics

extension Rule {
    static let inverseNotWritten = Rule(
        .named("inverse-not-written", .versions, .warning),
        summary: "Swift sources name the inverses of relationships",
        rationale: """
            If neither side names the other, SwiftData pairs relationships by their spelling, and the inverse is \
            part of the hash: only here the sources alone do not decide it. It is a note if \
            they are paired. Two sides with `@Relationship` stay apart, and each keeps its own \
            links, which is a warning. Write `inverse:` on one side.
            """,
        fix: .keepingHash("writes the inverse that SwiftData finds"),
        check: .reading
    )
}

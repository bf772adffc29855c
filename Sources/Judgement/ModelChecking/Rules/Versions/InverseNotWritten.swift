import Diagnostics

extension Rule {
    static let inverseNotWritten = Rule(
        .named("inverse-not-written", .versions, .warning),
        summary: "The inverses of relationships in Swift sources are written",
        rationale: """
            SwiftData pairs relationships by how both sides are spelled where none names the other, and the inverse is \
            part of the hash: it is the one place where sources alone are not sure. It is a note where \
            they are paired. Two sides with `@Relationship` stay apart, and each keeps its own \
            links, which is a warning. Write `inverse:` on one side.
            """,
        fix: .keepingHash("writes the inverse that SwiftData finds"),
        check: .reading
    )
}

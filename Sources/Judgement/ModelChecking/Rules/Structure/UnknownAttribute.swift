import Diagnostics

extension Rule {
    static let unknownAttribute = Rule(
        .named("unknown-attribute", .structure, .warning),
        summary: "An XML attribute that is known",
        rationale: """
            The attribute is kept but not understood. It may come from a newer Xcode, \
            or be a typing error.
            """,
        passing: [
            "<entity name='A' isAbstract='YES'/>"
        ],
        failing: [
            "<entity name='A' ◀colour='red'/>"
        ],
        check: .reading
    )
}

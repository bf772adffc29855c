import Diagnostics

extension Rule {
    static let unknownElement = Rule(
        .named("unknown-element", .structure, .warning),
        summary: "An XML element that is known",
        rationale: """
            The element is kept but not understood. It may come from a newer Xcode, or \
            be a typing error.
            """,
        passing: [
            "<entity name='A'/>"
        ],
        failing: [
            "<entity name='A'>◀<method name='run'/></entity>"
        ],
        check: .reading
    )
}

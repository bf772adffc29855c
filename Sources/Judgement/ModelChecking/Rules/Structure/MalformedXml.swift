import Diagnostics

extension Rule {
    /// A file that is well-formed XML.
    static let malformedXml = Rule(
        "malformed-xml",
        .structure,
        .error,
        summary: "A file that is well-formed XML",
        rationale: """
            A Git LFS pointer or an edit by hand is the usual cause. The message is \
            that of the XML parser.
            """,
        passing: [
            "<entity name='A'/>"
        ],
        failing: [
            "<entity name='A'>"
        ],
        check: .reading
    )
}

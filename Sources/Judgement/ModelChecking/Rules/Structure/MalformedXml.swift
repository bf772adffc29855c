import Diagnostics

extension Rule {
    static let malformedXml = Rule(
        .named("malformed-xml", .structure, .error),
        summary: "A file that is well-formed XML",
        rationale: """
            The usual cause is a Git LFS pointer or a manual edit. The message is \
            the XML parser's.
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

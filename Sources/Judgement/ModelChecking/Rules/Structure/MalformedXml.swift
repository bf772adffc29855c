import Diagnostics

extension Rule {
    static let malformedXml = Rule(
        .named("malformed-xml", .structure, .error),
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

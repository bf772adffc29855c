import Diagnostics

extension Rule {
    static let unknownReference = Rule(
        .named("unknown-reference", .structure, .warning),
        summary: "Indexes, constraints, configurations and requests that name what exists",
        rationale: """
            What a fetch index, a uniqueness constraint, a configuration or a fetch \
            request names was removed or misspelled; it has no effect, or fails when the \
            model is used.
            """,
        passing: [
            "<entity name='A'/><configuration name='C'><memberEntity name='A'/></configuration>"
        ],
        failing: [
            "<entity name='A'/>◀<configuration name='C'><memberEntity name='B'/></configuration>"
        ],
        fix: .keepingHash(
            "writes the new name of what was renamed; in a constraint this changes the hash"
        ),
        check: .reading
    )
}

import Diagnostics

extension Rule {
    static let unknownArchivedClass = Rule(
        .named("unknown-archived-class", .structure, .warning),
        summary: "Archived classes that are known",
        rationale: """
            A compiled model contains an object of an unknown class; it is left \
            out.
            """,
        check: .reading
    )
}

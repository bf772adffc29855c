import Diagnostics

extension Rule {
    static let unknownArchivedClass = Rule(
        .named("unknown-archived-class", .structure, .warning),
        summary: "Archived classes that are known",
        rationale: """
            A compiled model holds an object of a class that is not known; it is kept \
            out.
            """,
        check: .reading
    )
}

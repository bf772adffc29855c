import Diagnostics

extension Rule {
    static let swiftSyntax = Rule(
        .named("swift-syntax", .structure, .error),
        summary: "The sources are valid Swift",
        rationale: """
            The unreadable part may contain a class or a property. Correct the file, or \
            exclude it.
            """,
        check: .reading
    )
}

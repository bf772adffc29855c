import Diagnostics

extension Rule {
    static let swiftSyntax = Rule(
        .named("swift-syntax", .structure, .error),
        summary: "The sources are valid Swift",
        rationale: """
            What the parser could not read may hide a class or a property. Mend the file, or \
            leave it out.
            """,
        check: .reading
    )
}

import Diagnostics

extension Rule {
    static let xmlEntityDeclaration = Rule(
        .named("xml-entity-declaration", .structure, .error),
        summary: "A file that declares no XML entities",
        rationale: """
            No model needs entity declarations; they can make small files \
            huge or read other files, so such a file is refused.
            """,
        check: .reading
    )
}

import Diagnostics

extension Rule {
    static let emptyBundle = Rule(
        .named("empty-bundle", .structure, .note),
        summary: "A bundle with at least one version",
        rationale: """
            An `.xcdatamodeld` without any `.xcdatamodel` contains no model. Moving a model in \
            a project leaves such folders behind, often with only the `.xccurrentversion`. \
            Remove it, or restore what was in it; commands that need a model end with an error.
            """,
        check: .reading
    )
}

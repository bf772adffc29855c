import Diagnostics

extension Rule {
    static let emptyBundle = Rule(
        .named("empty-bundle", .structure, .note),
        summary: "A bundle with a version in it",
        rationale: """
            An `.xcdatamodeld` without a single `.xcdatamodel` holds no model. Moving a model in \
            a project leaves such folders behind, often with the `.xccurrentversion` alone. \
            Remove it, or restore what was in it; commands that need a model end with an error.
            """,
        check: .reading
    )
}

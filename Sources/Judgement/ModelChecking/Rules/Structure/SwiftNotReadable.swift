import Diagnostics

extension Rule {
    static let swiftNotReadable = Rule(
        .named("swift-not-readable", .structure, .warning),
        summary: "Versions and plans are written as plain lists",
        rationale: """
            momtool does not run code: a list of models that a function returns, or a version whose classes \
            are elsewhere, cannot be read. Write the list as a literal, add the other sources, \
            or list the classes under `swift: models:` in `.momtool.yml`.
            """,
        check: .reading
    )
}

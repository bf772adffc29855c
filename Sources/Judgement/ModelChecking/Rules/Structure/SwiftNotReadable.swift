import Diagnostics

extension Rule {
    static let swiftNotReadable = Rule(
        .named("swift-not-readable", .structure, .warning),
        summary: "Versions and plans are written as plain lists",
        rationale: """
            Nothing is run: a list of models that a function makes, or a version whose classes \
            are elsewhere, cannot be read. Write the list as a literal, give the other sources \
            too, or name the classes by `swift: models:` in `.momtool.yml`.
            """,
        check: .reading
    )
}

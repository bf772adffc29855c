import Diagnostics

extension Rule {
    static let swiftCondition = Rule(
        .named("swift-condition", .structure, .warning),
        summary: "The model does not depend on conditions of `#if`",
        rationale: """
            Builds with and without the condition have models with different hashes: stores \
            of one do not open in the other. `swift: define:` and `platform:` in `.momtool.yml` \
            select the build.
            """,
        check: .reading
    )
}

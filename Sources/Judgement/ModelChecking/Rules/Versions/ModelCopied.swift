import Diagnostics

extension Rule {
    static let modelCopied = Rule(
        .named("model-copied", .versions, .warning),
        summary: "A package lets its models be compiled",
        rationale: """
            `.copy` in a `Package.swift` takes a model as it is; Xcode 27 no longer compiles it, and the app finds none. \
            `.process` has it compiled.
            """,
        check: .project
    )
}

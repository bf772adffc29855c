import Diagnostics

extension Rule {
    static let stageMissing = Rule(
        .named("stage-missing", .versions, .error),
        summary: "A plan has a stage for each step",
        rationale: """
            Without a stage between two versions of the list, the plan cannot migrate from the \
            older one. If a plan has no stages at all, SwiftData infers each step, which is a note.
            """,
        check: .reading
    )
}

import Diagnostics

extension Rule {
    static let versionNotInPlan = Rule(
        .named("version-not-in-plan", .versions, .warning),
        summary: "A plan lists every version",
        rationale: """
            A store of a version that the plan does not list fails with 134504, Cannot use \
            staged migration with an unknown model version. Add the version to `schemas`, or \
            remove its source if it never shipped.
            """,
        check: .reading
    )
}

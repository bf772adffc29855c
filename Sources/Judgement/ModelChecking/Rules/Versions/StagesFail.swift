import Diagnostics

extension Rule {
    static let stagesFail = Rule(
        .named("stages-fail", .versions, .error),
        summary: "A list of stages leads from every version to the last",
        rationale: """
            A SwiftData plan, or a stages file that `.momtool.yml` names under `stages`, is followed as \
            Core Data follows it, from every version. A finding means that the app fails at launch: a version that no \
            stage lists (134504), a step that is not lightweight (134140), or two versions with equal hashes, \
            for which `NSInvalidArgumentException` is raised: Duplicate version checksums across stages detected.
            """,
        check: .stages
    )
}

import Diagnostics

extension Rule {
    static let stagesFail = Rule(
        .named("stages-fail", .versions, .error),
        summary: "A list of stages leads from every version to the last",
        rationale: """
            A plan of SwiftData, or a stages file that `.momtool.yml` names under `stages`, is walked as \
            Core Data walks it, from every version. What is found ends an app at its start: a version that no \
            stage lists (134504), a step that is not lightweight (134140), or two versions with equal hashes, \
            for which `NSInvalidArgumentException` is raised: Duplicate version checksums across stages detected.
            """,
        check: .stages
    )
}

package import Diagnostics

extension Rule {
    static let mappingModelSkipsVersions = Rule(
        .named(.mappingModelSkipsVersions, .migration, .warning),
        summary: "No mapping model skips versions where the app takes every step",
        rationale: """
            `migration: stepwise` says that the app's own code takes stores through every version. A mapping model that \
            leads past one is then never used, and the steps that it skips are inferred, which may lose what it keeps. \
            Make a mapping model for each of these steps, or delete the one that is left over. If the app's code \
            follows the mapping model, it does not take every step: without that line Core Data's one step is judged.
            """,
        check: .stages
    )
}

extension RuleID {
    package static let mappingModelSkipsVersions: RuleID = "mapping-model-skips-versions"
}

package import Diagnostics

extension Rule {
    static let mappingModelSkipsVersions = Rule(
        .named(.mappingModelSkipsVersions, .migration, .warning),
        summary: "No mapping model skips versions if the app migrates version by version",
        rationale: """
            `migration: stepwise` says that the app's own code migrates stores version by version. A mapping model that \
            skips a version is then never used, and Core Data infers the skipped steps, which may drop what it keeps. \
            Add a mapping model for each of these steps, or delete the unused one. If the app's code \
            uses the mapping model, remove the setting: momtool then checks Core Data's single step.
            """,
        check: .stages
    )
}

extension RuleID {
    package static let mappingModelSkipsVersions: RuleID = "mapping-model-skips-versions"
}

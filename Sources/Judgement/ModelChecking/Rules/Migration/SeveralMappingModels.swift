package import Diagnostics

extension Rule {
    static let severalMappingModels = Rule(
        .named(.severalMappingModels, .migration, .warning),
        summary: "A step has only one mapping model",
        rationale: """
            Core Data looks for a mapping model by the hashes of both versions and uses one; which of several it \
            uses is not documented. Several that each convert part of the rows, by a condition on an entity, are run \
            one after the other by an app's own code: write that step as a custom stage in a stages file. Where a \
            mapping model is left over, delete it, or name the right one under `mappingModels:` in `.momtool.yml`.
            """,
        check: .stages
    )
}

extension RuleID { package static let severalMappingModels: RuleID = "several-mapping-models" }

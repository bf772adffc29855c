package import Diagnostics

extension Rule {
    static let severalSteps = Rule(
        .named(.severalSteps, .migration, .warning),
        summary: "Stores come to the current version in one step",
        rationale: """
            No mapping model leads from an older version to the current one, and inference refuses the step; \
            mapping models lead there one after the other. Core Data takes one step and looks for one mapping \
            model. An app whose own code takes the steps is fine: say `migration: stepwise` in `.momtool.yml`, \
            and every command goes through every version. Without such code stores of the version do not open.
            """,
        check: .stages
    )
}

extension RuleID {
    package static let severalSteps: RuleID = "several-steps"
}

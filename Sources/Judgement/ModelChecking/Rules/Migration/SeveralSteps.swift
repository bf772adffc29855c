package import Diagnostics

extension Rule {
    static let severalSteps = Rule(
        .named(.severalSteps, .migration, .warning),
        summary: "Stores migrate to the current version in one step",
        rationale: """
            No mapping model leads from an older version to the current one, and Core Data cannot infer the step; \
            several mapping models in turn do. Core Data takes one step and looks for one mapping \
            model. If the app's own code takes the steps, set `migration: stepwise` in `.momtool.yml`, \
            and every command goes through every version. Without such code stores of the version do not open.
            """,
        check: .stages
    )
}

extension RuleID { package static let severalSteps: RuleID = "several-steps" }

package import Diagnostics

extension Rule {
    static let mappingModelNotRun = Rule(
        .named(.mappingModelNotRun, .migration, .note),
        summary: "Every mapping model of a step can be tested",
        rationale: """
            A mapping model exists for the step, but its migration of generated objects was not run: it calls \
            code of the app, or has parts that momtool cannot read. The app will run it. Describe its policies \
            under `policies:` in `.momtool.yml`, and `momtool check` runs it.
            """,
        check: .project
    )
}

extension RuleID { package static let mappingModelNotRun: RuleID = "mapping-model-not-run" }

package import Diagnostics

extension Rule {
    static let mappingModelNotRun = Rule(
        .named(.mappingModelNotRun, .migration, .note),
        summary: "Every mapping model that a step takes can be tried",
        rationale: """
            A mapping model is for the step, and its migration of generated objects was not tried: it calls \
            code of the app, or says what cannot be read. The app carries it out. Say under `policies:` in \
            `.momtool.yml` what its policies do, and `momtool check` tries it.
            """,
        check: .project
    )
}

extension RuleID {
    package static let mappingModelNotRun: RuleID = "mapping-model-not-run"
}

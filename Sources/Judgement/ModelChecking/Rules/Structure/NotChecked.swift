import Diagnostics

extension Rule {
    static let notChecked = Rule(
        .named("not-checked", .structure, .error),
        summary: "Every model and setting can be checked",
        rationale: """
            A model, configuration, lock or stages file could not be read at all, so nothing is known \
            about it. The message says why. `momtool check --against` warns about a repository or submodule that lacks \
            the commit to compare with.
            """,
        check: .project
    )
}

import Diagnostics

extension Rule {
    static let notChecked = Rule(
        .named("not-checked", .structure, .error),
        summary: "Everything that is found can be checked",
        rationale: """
            A model, configuration, lock or stages file could not be read at all, so that nothing is known \
            of it. The message says why. `momtool check --against` warns of a repository or a submodule that does not have \
            the commit to compare with.
            """,
        check: .project
    )
}

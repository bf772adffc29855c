import Diagnostics

extension Rule {
    static let emptySubmodule = Rule(
        .named("empty-submodule", .versions, .warning),
        summary: "The submodules of a project are checked out",
        rationale: """
            git leaves the folder of a submodule empty until `git submodule update --init` runs, for example in a clone on a CI \
            machine. Its models are then not checked, and the check passes without them. GitHub's checkout \
            action takes `submodules: true`.
            """,
        check: .project
    )
}

import Diagnostics

extension Rule {
    static let emptySubmodule = Rule(
        .named("empty-submodule", .versions, .warning),
        summary: "The submodules of a project are there when it is checked",
        rationale: """
            git leaves the folder of a submodule empty until `git submodule update --init` is run, as in a clone on a CI \
            machine. The models in it are then not looked at, and the check is green without them. GitHub's checkout \
            action takes `submodules: true`.
            """,
        check: .project
    )
}

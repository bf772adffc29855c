import Diagnostics

extension Rule {
    static let containerDropsClasses = Rule(
        .named("container-drops-classes", .versions, .warning),
        summary: "Containers with other classes have files of their own",
        rationale: """
            SwiftData migrates a store to the classes of the container that opens it. A second container over the same file \
            with fewer classes drops the tables of the rest, with their rows.
            """,
        check: .reading
    )
}

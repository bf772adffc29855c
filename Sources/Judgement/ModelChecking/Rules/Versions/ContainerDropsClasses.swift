import Diagnostics

extension Rule {
    static let containerDropsClasses = Rule(
        .named("container-drops-classes", .versions, .warning),
        summary: "Containers with different classes have separate files",
        rationale: """
            SwiftData migrates a store to the classes of the container that opens it. A second container for the same file \
            with fewer classes drops the tables of the others, with their rows.
            """,
        check: .reading
    )
}

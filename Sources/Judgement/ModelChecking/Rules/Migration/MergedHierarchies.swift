import Diagnostics

extension Rule {
    static let mergedHierarchies = Rule(
        .named("merged-hierarchies", .migration, .error),
        summary: "Root entities keep separate hierarchies",
        rationale: """
            "Cannot merge multiple root entity source tables into one destination \
            entity root table": Core Data raises an exception.
            """,
        check: .planning
    )
}

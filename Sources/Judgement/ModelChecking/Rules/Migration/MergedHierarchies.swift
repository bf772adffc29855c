import Diagnostics

extension Rule {
    static let mergedHierarchies = Rule(
        .named("merged-hierarchies", .migration, .error),
        summary: "Root entities keep hierarchies of their own",
        rationale: """
            "Cannot merge multiple root entity source tables into one destination \
            entity root table": Core Data raises an exception.
            """,
        check: .planning
    )
}

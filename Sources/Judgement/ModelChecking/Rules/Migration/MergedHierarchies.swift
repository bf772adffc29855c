import Diagnostics

extension Rule {
    /// Root entities keep hierarchies of their own.
    static let mergedHierarchies = Rule(
        "merged-hierarchies",
        .migration,
        .error,
        summary: "Root entities keep hierarchies of their own",
        rationale: """
            "Cannot merge multiple root entity source tables into one destination \
            entity root table": Core Data raises an exception.
            """,
        check: .planning
    )
}

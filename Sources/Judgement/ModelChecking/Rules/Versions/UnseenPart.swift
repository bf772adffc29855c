import Diagnostics

extension Rule {
    static let unseenPart = Rule(
        .named("unseen-part", .versions, .warning),
        summary: "All folders and models of a project can be looked at",
        rationale: """
            A folder that may not be read, or whose name is no UTF-8, may hold models, and so may what a sparse checkout leaves \
            out; of two models whose names differ in case alone, a Mac's disk has one. The check is green without them.
            """,
        check: .project
    )
}

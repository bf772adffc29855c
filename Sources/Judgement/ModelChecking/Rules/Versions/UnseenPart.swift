import Diagnostics

extension Rule {
    static let unseenPart = Rule(
        .named("unseen-part", .versions, .warning),
        summary: "All folders and models of a project can be read",
        rationale: """
            A folder that cannot be read, or whose name is not UTF-8, may contain models, and so may the part that a sparse checkout leaves \
            out; of two models whose names differ only in case, a Mac's disk has one. The check passes without them.
            """,
        check: .project
    )
}

import Diagnostics

extension Rule {
    static let unreadableProject = Rule(
        .named("unreadable-project", .versions, .warning),
        summary: "Projects around the model can be read",
        rationale: """
            The project's entries for the model are compared with the model. A project that cannot be \
            read, such as one with merge conflict markers, is skipped.
            """,
        passing: [.inProject()],
        failing: [
            RuleExample(
                ["<entity name='A'/>", "<entity name='A'/>"],
                project: """
                    // !$*UTF8*$!
                    { objects = {
                        A0 = {isa = XCVersionGroup; children = (V1, V2);
                    ◀<<<<<<< HEAD
                            currentVersion = V1;
                    =======
                            currentVersion = V2;
                    >>>>>>> login
                            path = M.xcdatamodeld; sourceTree = SOURCE_ROOT; };
                    }; }
                    """
            )
        ],
        check: .reading
    )
}

import Diagnostics

extension Rule {
    static let mergeConflict = Rule(
        .named("merge-conflict", .structure, .error),
        summary: "A file without conflict markers",
        rationale: """
            Git leaves `<<<<<<<`, `=======` and `>>>>>>>` in a file that it could not merge. Such a \
            model is neither read nor compared. `momtool model merge` merges models by \
            content, and can be git's merge driver; what it leaves for you to decide is in \
            comments between the same markers, and counts as a conflict too.
            """,
        passing: ["<entity name='A'/>"],
        failing: [
            """
            <entity name='A'>
            ◀<<<<<<< HEAD
            <attribute name='a' optional='YES' attributeType='String'/>
            =======
            <attribute name='b' optional='YES' attributeType='String'/>
            >>>>>>> other
            </entity>
            """
        ],
        check: .reading
    )
}

import Diagnostics

extension Rule {
    static let mergeConflict = Rule(
        .named("merge-conflict", .structure, .error),
        summary: "A file without conflict markers",
        rationale: """
            Git leaves `<<<<<<<`, `=======` and `>>>>>>>` in a file that it could not merge. Such a \
            model is not read, and nothing is compared with it. `momtool model merge` merges models by \
            what they say, and can be git's merge driver; what it leaves to decide stands in \
            comments between the same marks, and is such a conflict too.
            """,
        passing: [
            "<entity name='A'/>"
        ],
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

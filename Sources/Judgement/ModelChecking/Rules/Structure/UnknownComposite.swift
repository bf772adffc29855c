import Diagnostics

extension Rule {
    static let unknownComposite = Rule(
        .named("unknown-composite", .structure, .error),
        summary: "Composite types that exist",
        rationale: """
            An attribute of type Composite is made of the elements of its type; \
            without the type it has no columns.
            """,
        passing: [
            """
            <composite name='C'><attribute name='x' attributeType='String' optional='YES'/></composite>
            <entity name='A'><attribute name='a' optional='YES' attributeType='Composite' composite='C'/></entity>
            """
        ],
        failing: [
            """
            <entity name='A'><attribute name='a' attributeType='Composite' ◀composite='C'/></entity>
            """
        ],
        check: .reading
    )
}

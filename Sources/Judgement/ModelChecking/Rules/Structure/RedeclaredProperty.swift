import Diagnostics

extension Rule {
    static let redeclaredProperty = Rule(
        .named("redeclared-property", .structure, .warning),
        summary: "Properties that no parent entity declares already",
        rationale: """
            An inherited property that is declared again is two declarations of one \
            column; they must stay equal for ever.
            """,
        passing: [
            """
            <entity name='A'><attribute name='x' attributeType='String' optional='YES'/></entity>
            <entity name='B' parentEntity='A'/>
            """
        ],
        failing: [
            """
            <entity name='A'><attribute name='x' attributeType='String' optional='YES'/></entity>
            <entity name='B' parentEntity='A'><attribute ◀name='x' attributeType='String' optional='YES'/></entity>
            """
        ],
        check: .reading
    )
}

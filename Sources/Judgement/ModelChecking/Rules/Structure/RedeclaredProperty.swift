import Diagnostics

extension Rule {
    static let redeclaredProperty = Rule(
        .named("redeclared-property", .structure, .warning),
        summary: "Properties that no parent entity already declares",
        rationale: """
            An inherited property that is declared again has two declarations for one \
            column; they must always stay equal.
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

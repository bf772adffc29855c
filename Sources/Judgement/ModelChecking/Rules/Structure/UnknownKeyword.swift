import Diagnostics

extension Rule {
    static let unknownKeyword = Rule(
        .named("unknown-keyword", .structure, .warning),
        summary: "A delete rule and a type of index that are known",
        rationale: """
            It may come from a newer Xcode than this momtool knows. The rest of the model is \
            read and checked, and the hashes are right, because neither affects them; commands \
            that need the delete rule or the index, such as `compile` and `create`, end with an \
            error that names it. A typing error looks the same.
            """,
        passing: [
            "<entity name='A'><relationship name='r' optional='YES' maxCount='1' deletionRule='Deny' destinationEntity='A' inverseName='r' inverseEntity='A'/></entity>"
        ],
        failing: [
            """
            <entity name='A'>
            <relationship name='r' optional='YES' maxCount='1' ◀deletionRule='Archive' destinationEntity='A' inverseName='r' inverseEntity='A'/>
            </entity>
            """,
            """
            <entity name='A'><attribute name='a' optional='YES' attributeType='String'/>
            <fetchIndex name='i'><fetchIndexElement property='a' ◀type='Vector' order='ascending'/></fetchIndex>
            </entity>
            """,
        ],
        check: .reading
    )
}

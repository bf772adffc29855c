import Diagnostics

extension Rule {
    static let unknownAttributeType = Rule(
        .named("unknown-attribute-type", .structure, .warning),
        summary: "An attribute type that is known",
        rationale: """
            It may come from a newer Xcode than this momtool knows. The rest of the model is \
            read and checked; the entity has no hash, the version is not compared with others, and \
            commands that need the whole model end with an error. A typing error looks the same.
            """,
        passing: [
            "<entity name='A'><attribute name='a' optional='YES' attributeType='String'/></entity>"
        ],
        failing: [
            "<entity name='A'><attribute name='a' optional='YES' ◀attributeType='Vector'/></entity>"
        ],
        check: .reading
    )
}

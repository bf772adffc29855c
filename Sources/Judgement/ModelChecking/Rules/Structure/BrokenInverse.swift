import Diagnostics

extension Rule {
    static let brokenInverse = Rule(
        .named("broken-inverse", .structure, .error),
        summary: "Inverses that exist and point back",
        rationale: """
            Core Data keeps both sides of a relationship consistent, which it cannot do \
            if the other side is missing, does not belong to the entity that \
            the relationship leads to, or itself leads elsewhere. An inverse that points back to another \
            relationship is a warning.
            """,
        passing: [
            """
            <entity name='A'><relationship name='r' maxCount='1' optional='YES' destinationEntity='A' inverseName='s' inverseEntity='A'/>
            <relationship name='s' maxCount='1' optional='YES' destinationEntity='A' inverseName='r' inverseEntity='A'/></entity>
            """
        ],
        failing: [
            """
            <entity name='A'><relationship name='r' destinationEntity='A' inverseEntity='A'
              ◀inverseName='s'/></entity>
            """,
            """
            <entity name='A'><relationship name='r' maxCount='1' destinationEntity='A' inverseEntity='B'
              ◀inverseName='s'/></entity>
            <entity name='B'><relationship name='s' maxCount='1' destinationEntity='A' inverseEntity='A'
              ◀inverseName='r'/></entity>
            """,
        ],
        fix: .movingHash(
            "names the one relationship that leads back, or makes the inverse lead back"
        ),
        check: .reading
    )
}

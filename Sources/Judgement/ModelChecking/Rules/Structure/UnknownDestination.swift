import Diagnostics

extension Rule {
    static let unknownDestination = Rule(
        .named("unknown-destination", .structure, .error),
        summary: "Relationships whose destination exists",
        rationale: "A relationship without a destination cannot be compiled.",
        appleText: "destination entry can't be nil in relationships",
        passing: [
            """
            <entity name='A'><relationship name='r' optional='YES' maxCount='1' destinationEntity='A'/></entity>
            """
        ],
        failing: [
            "<entity name='A'><relationship name='r' ◀destinationEntity='B'/></entity>",
            "<entity name='A'><relationship ◀name='r'/></entity>",
        ],
        fix: .keepingHash("uses the new name of the destination, if it was renamed"),
        check: .reading
    )
}

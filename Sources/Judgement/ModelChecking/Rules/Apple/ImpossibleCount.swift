import Diagnostics
import ObjectModel

extension Rule {
    static let impossibleCount = Rule(
        .named("impossible-count", .apple, .warning),
        summary: "The minimum count of a relationship is not above its maximum",
        rationale: "No set of objects satisfies such a relationship, so nothing can be saved.",
        passing:
            "<entity name='A'><relationship name='r' toMany='YES' minCount='1' maxCount='2' optional='YES' destinationEntity='A' inverseName='r' inverseEntity='A'/></entity>",
        failing: """
            <entity name='A'><relationship name='r' toMany='YES' ◀minCount='3' maxCount='2' optional='YES'
              destinationEntity='A' inverseName='r' inverseEntity='A'/></entity>
            """,
        check: .model { model in
            model.forEachRelationship { relationship, entity in
                guard let minimum = relationship.minCount, let maximum = relationship.maxCount,
                    maximum > 0, minimum > maximum
                else { return nil }
                return Violation(
                    "lower the minimum count of '\(relationship.name)' to \(maximum) or less",
                    at: relationship.source.location(of: "minCount"),
                    element: "\(entity.name).\(relationship.name)"
                )
            }
        }
    )
}

import Diagnostics
import ObjectModel

extension Rule {
    /// The least number of objects is not above the greatest.
    static let impossibleCount = Rule(
        "impossible-count",
        .apple,
        .warning,
        summary: "The least number of objects is not above the greatest",
        rationale: "No set of objects meets such a relationship, so that nothing can be saved.",
        passing: [
            """
            <entity name='A'><relationship name='r' toMany='YES' minCount='1' maxCount='2' optional='YES' destinationEntity='A' inverseName='r' inverseEntity='A'/></entity>
            """
        ],
        failing: [
            """
            <entity name='A'><relationship name='r' toMany='YES' ◀minCount='3' maxCount='2' optional='YES'
              destinationEntity='A' inverseName='r' inverseEntity='A'/></entity>
            """
        ],
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

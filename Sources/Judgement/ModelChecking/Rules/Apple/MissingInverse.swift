import Diagnostics
import ObjectModel

extension Rule {
    static let missingInverse = Rule(
        .named("missing-inverse", .apple, .note),
        summary: "Relationships have an inverse",
        rationale: """
            Without an inverse Core Data cannot update the other side: deleted objects leave links behind, and an \
            object is in at most one destination. Declare the inverse, or ignore the rule if this is intended.
            """,
        appleText: """
            E.r does not have an inverse; this is an advanced setting (no object can \
            be in multiple destinations for a specific relationship)
            """,
        passing:
            "<entity name='A'><relationship name='r' maxCount='1' optional='YES' destinationEntity='A' inverseName='r' inverseEntity='A'/></entity>",
        failing:
            "<entity name='A'><relationship ◀name='r' maxCount='1' optional='YES' destinationEntity='A'/></entity>",
        fix: .movingHash("names the one relationship that leads back, if there is one"),
        check: .model { model in
            let claims = InverseClaims(model.graph)
            return model.forEachRelationship { relationship, entity in
                guard relationship.inverseName == nil, !relationship.isTransient else { return nil }
                return Violation(
                    "give '\(relationship.name)' an inverse: without one, links to deleted objects stay",
                    at: relationship.source.location(of: "name"),
                    element: "\(entity.name).\(relationship.name)",
                    fix: claims.fix(of: relationship, in: entity)
                )
            }
        }
    )
}

import Diagnostics
import ModelEditing
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
        check: .each(\.relationships) { relationship in
            guard let minimum = relationship.minCount, let maximum = relationship.maxCount,
                maximum > 0, minimum > maximum
            else { return nil }
            return Violation(
                "the minimum count of '\(relationship.name)' exceeds its maximum: lower it to \(maximum) or less",
                of: "minCount"
            )
        }
    )

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
        passing: .toOne,
        failing:
            "<entity name='A'><relationship ◀name='r' maxCount='1' optional='YES' destinationEntity='A'/></entity>",
        fix: .movingHash("names the one relationship that leads back, if there is one"),
        check: .model { model in
            let claims = InverseClaims(model.graph)
            return model.each(\.relationships) { relationship, entity in
                guard relationship.inverseName == nil, !relationship.isTransient else { return nil }
                return Violation(
                    "give '\(relationship.name)' an inverse: without one, links to deleted objects stay",
                    fix: claims.fix(of: relationship, in: entity)
                )
            }
        }
    )

    static let noActionDeleteRule = Rule(
        .named("no-action-delete-rule", .apple, .note),
        summary: "Relationships have a delete rule other than No Action",
        rationale: """
            With No Action the destination keeps a link to a deleted object, and following it raises an exception. \
            Xcode warns about it too.
            """,
        passing:
            "<entity name='A'><relationship name='r' maxCount='1' optional='YES' deletionRule='Nullify' destinationEntity='A' inverseName='r' inverseEntity='A'/></entity>",
        failing: """
            <entity name='A'><relationship name='r' maxCount='1' optional='YES' ◀deletionRule='No Action'
              destinationEntity='A' inverseName='r' inverseEntity='A'/></entity>
            """,
        check: .each(\.relationships) { relationship in
            guard relationship.deleteRule == .noAction, !relationship.isTransient,
                relationship.inverseName != nil
            else { return nil }
            return Violation(
                "choose Nullify, Cascade or Deny for '\(relationship.name)'; No Action leaves"
                    + " links to deleted objects",
                of: "deletionRule"
            )
        }
    )

    static let toOneCount = Rule(
        .named("to-one-count", .apple, .warning),
        summary: "To-one relationships have a maximum count of 1",
        rationale: """
            Xcode writes `maxCount="1"` for every to-one relationship. Without it, or with more, the compiler warns, \
            and the count is part of the version hash: setting it later changes the hash.
            """,
        appleText: "max count > 1 on the one end",
        passing: .toOne,
        failing:
            "<entity name='A'><relationship ◀name='r' optional='YES' destinationEntity='A' inverseName='r' inverseEntity='A'/></entity>",
        fix: .movingHash("sets the maximum count to 1"),
        check: .each(\.relationships) { relationship in
            guard !relationship.isToMany, relationship.maxCount != 1 else { return nil }
            return Violation(
                "set the maximum count of '\(relationship.name)' to 1: it is to-one",
                of: relationship.maxCount == nil ? "name" : "maxCount",
                fix: Fix(
                    "set maxCount to 1",
                    at: relationship.source.element,
                    .tag(.set("maxCount", "1")),
                    movesHash: true
                )
            )
        }
    )
}

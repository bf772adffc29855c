import Diagnostics
import ModelEditing
import ObjectModel

extension Rule {
    static let toOneCount = Rule(
        .named("to-one-count", .apple, .warning),
        summary: "To-one relationships have a maximum count of 1",
        rationale: """
            Xcode writes `maxCount="1"` for every to-one relationship. Without it, or with more, the compiler warns, \
            and the count is part of the version hash: setting it later changes the hash.
            """,
        appleText: "max count > 1 on the one end",
        passing:
            "<entity name='A'><relationship name='r' maxCount='1' optional='YES' destinationEntity='A' inverseName='r' inverseEntity='A'/></entity>",
        failing:
            "<entity name='A'><relationship ◀name='r' optional='YES' destinationEntity='A' inverseName='r' inverseEntity='A'/></entity>",
        fix: .movingHash("sets the maximum count to 1"),
        check: .model { model in
            model.forEachRelationship { relationship, entity in
                guard !relationship.isToMany, relationship.maxCount != 1 else { return nil }
                return Violation(
                    "set the maximum count of '\(relationship.name)' to 1: it is to-one",
                    at: relationship.source.location(
                        of: relationship.maxCount == nil ? "name" : "maxCount"
                    ),
                    element: "\(entity.name).\(relationship.name)",
                    fix: Fix(
                        "set maxCount to 1",
                        at: relationship.source.element,
                        .tag(.set("maxCount", "1")),
                        movesHash: true
                    )
                )
            }
        }
    )
}

import Diagnostics
import ModelEditing
import ObjectModel

extension Rule {
    static let missingInverseEntity = Rule(
        .named("missing-inverse-entity", .style, .note),
        summary: "Inverses are written with their entity",
        rationale: """
            Xcode writes `inverseEntity` beside every `inverseName`; tools that read models rely on it. It is not part \
            of the version hash.
            """,
        passing:
            "<entity name='A'><relationship name='r' maxCount='1' optional='YES' destinationEntity='A' inverseName='r' inverseEntity='A'/></entity>",
        failing:
            "<entity name='A'><relationship name='r' maxCount='1' optional='YES' destinationEntity='A' ◀inverseName='r'/></entity>",
        fix: .keepingHash("adds `inverseEntity`"),
        check: .model { model in
            model.forEachRelationship { relationship, entity in
                guard relationship.inverseName != nil, relationship.inverseEntity == nil,
                    let (_, owner) = model.graph.inverse(of: relationship)
                else { return nil }
                return Violation(
                    "write the entity of the inverse of '\(relationship.name)'",
                    at: relationship.source.location(of: "inverseName"),
                    element: "\(entity.name).\(relationship.name)",
                    fix: Fix(
                        "add inverseEntity",
                        at: relationship.source.element,
                        .tag(.add("inverseEntity", owner.name))
                    )
                )
            }
        }
    )
}

import Diagnostics
import ModelEditing
import ObjectModel

extension Rule {
    static let cloudkitMandatoryRelationship = Rule(
        .named("cloudkit-mandatory-relationship", .cloudKit, .error),
        summary: "Relationships in CloudKit are optional",
        rationale: "The record at the other end may arrive later.",
        appleText: """
            CloudKit integration requires that all relationships be optional, the \
            following are not:
            """,
        passing: .cloud(
            "<entity name='A'><relationship name='r' maxCount='1' optional='YES' destinationEntity='A' inverseName='r' inverseEntity='A'/></entity>"
        ),
        failing: .cloud(
            "<entity name='A'><relationship ◀name='r' maxCount='1'  destinationEntity='A' inverseName='r' inverseEntity='A'/></entity>"
        ),
        fix: .movingHash("makes it optional"),
        check: .model { model in
            model.cloudKitEntities.flatMap { entity in
                entity.relationships.filter { !$0.isOptional && !$0.isTransient }.map {
                    relationship in
                    Violation(
                        "make '\(relationship.name)' optional: CloudKit requires it",
                        at: relationship.source.location(of: "name"),
                        element: "\(entity.name).\(relationship.name)",
                        fix: Fix(
                            "make it optional",
                            at: relationship.source.element,
                            .tag(.set("optional", "YES")),
                            movesHash: true
                        )
                    )
                }
            }
        }
    )
}

import Diagnostics
import ObjectModel

extension Rule {
    static let cloudkitOrderedRelationship = Rule(
        .named("cloudkit-ordered-relationship", .cloudKit, .error),
        summary: "Relationships in CloudKit have no order",
        rationale: "CloudKit keeps no order of references. Keep the order in an attribute.",
        appleText: """
            CloudKit integration does not support ordered relationships. The following \
            relationships are marked ordered:
            """,
        passing: .cloud(
            "<entity name='A'><relationship name='r' maxCount='1' optional='YES' destinationEntity='A' inverseName='r' inverseEntity='A'/></entity>"
        ),
        failing: .cloud(
            "<entity name='A'><relationship name='r' toMany='YES' ◀ordered='YES' optional='YES' destinationEntity='A' inverseName='r' inverseEntity='A'/></entity>"
        ),
        check: .model { model in
            model.cloudKitEntities.flatMap { entity in
                entity.relationships.filter { $0.isOrdered && !$0.isTransient }.map {
                    relationship in
                    Violation(
                        "keep the order of '\(relationship.name)' in an attribute: CloudKit keeps none",
                        at: relationship.source.location(of: "ordered"),
                        element: "\(entity.name).\(relationship.name)"
                    )
                }
            }
        }
    )
}

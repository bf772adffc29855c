import Diagnostics
import ObjectModel

extension Rule {
    static let cloudkitMissingInverse = Rule(
        .named("cloudkit-missing-inverse", .cloudKit, .error),
        summary: "Relationships in CloudKit have an inverse",
        rationale: "Mirroring sets both sides.",
        appleText: """
            CloudKit integration requires that all relationships have an inverse, the \
            following do not:
            """,
        passing: .cloud(
            "<entity name='A'><relationship name='r' maxCount='1' optional='YES' destinationEntity='A' inverseName='r' inverseEntity='A'/></entity>"
        ),
        failing: .cloud(
            "<entity name='A'><relationship ◀name='r' maxCount='1' optional='YES' destinationEntity='A'/></entity>"
        ),
        check: .model { model in
            model.cloudKitEntities.flatMap { entity in
                entity.relationships.filter { $0.inverseName == nil && !$0.isTransient }.map {
                    relationship in
                    Violation(
                        "give '\(relationship.name)' an inverse: CloudKit requires it",
                        at: relationship.source.location(of: "name"),
                        element: "\(entity.name).\(relationship.name)"
                    )
                }
            }
        }
    )
}

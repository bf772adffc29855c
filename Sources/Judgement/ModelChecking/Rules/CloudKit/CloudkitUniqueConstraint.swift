import Diagnostics
import ObjectModel

extension Rule {
    static let cloudkitUniqueConstraint = Rule(
        .named("cloudkit-unique-constraint", .cloudKit, .error),
        summary: "Entities in CloudKit have no uniqueness constraints",
        rationale: """
            Two devices can create equal objects at once, and CloudKit cannot refuse one. Find and merge duplicates \
            after import.
            """,
        appleText: """
            CloudKit integration does not support unique constraints. The following \
            entities are constrained:
            """,
        passing: .cloud(
            "<entity name='A'><attribute name='a' optional='YES' attributeType='String'/></entity>"
        ),
        failing: .cloud(
            """
            <entity name='A'><attribute name='a' optional='YES' attributeType='String'/><uniquenessConstraints>
            ◀<uniquenessConstraint><constraint value='a'/></uniquenessConstraint></uniquenessConstraints></entity>
            """
        ),
        check: .model { model in
            model.cloudKitEntities.flatMap { entity in
                entity.uniquenessConstraints.map { constraint in
                    Violation(
                        "remove the uniqueness constraint of '\(entity.name)': CloudKit supports none",
                        at: constraint.source.element,
                        element: entity.name
                    )
                }
            }
        }
    )
}

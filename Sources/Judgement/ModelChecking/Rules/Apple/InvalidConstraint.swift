import Diagnostics
import ObjectModel

extension Rule {
    static let invalidConstraint = Rule(
        .named("invalid-constraint", .apple, .warning),
        summary: "Uniqueness constraints are made of stored attributes and to-one relationships",
        rationale: """
            A to-many, transient or derived-from-many property has no column, so it cannot have a unique index.
            """,
        passing: """
            <entity name='A'><attribute name='a' optional='YES' attributeType='String'/><uniquenessConstraints>
            <uniquenessConstraint><constraint value='a'/></uniquenessConstraint></uniquenessConstraints></entity>
            """,
        failing: """
            <entity name='A'><attribute name='a' optional='YES' transient='YES' attributeType='String'/><uniquenessConstraints>
            ◀<uniquenessConstraint><constraint value='a'/></uniquenessConstraint></uniquenessConstraints></entity>
            """,
        check: .model { model in
            model.entities.flatMap { entity in
                entity.uniquenessConstraints.flatMap { constraint in
                    constraint.properties.compactMap { name -> Violation? in
                        guard let property = model.graph.property(name, of: entity)?.0,
                            property.isTransient || (property as? Relationship)?.isToMany ?? false
                        else { return nil }
                        return Violation(
                            "remove '\(name)' from the uniqueness constraint: it has no column",
                            at: constraint.source.element,
                            element: entity.name
                        )
                    }
                }
            }
        }
    )
}

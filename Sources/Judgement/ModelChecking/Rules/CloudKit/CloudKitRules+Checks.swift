import Diagnostics
import MappingInference
import ModelDiffing
import ModelEditing
import ObjectModel

extension Rule {
    static let cloudkitAttributeType = Rule(
        .named("cloudkit-attribute-type", .cloudKit, .error),
        summary: "Attributes in CloudKit have a type that CloudKit can hold",
        rationale: "There is no record field for attributes of undefined type or for object IDs.",
        passing: .cloud(.attribute),
        failing: .cloud("<entity name='A'><attribute ◀name='a' optional='YES'/></entity>"),
        check: .mirrored(\.attributes) { attribute in
            guard [.undefined, .objectID].contains(attribute.type), attribute.derivation == nil
            else { return nil }
            return Violation("give '\(attribute.name)' a type that CloudKit can hold")
        }
    )

    static let cloudkitDenyRule = Rule(
        .named("cloudkit-deny-rule", .cloudKit, .error),
        summary: "Relationships in CloudKit do not deny deletion",
        rationale: "A deletion that arrives from another device cannot be refused.",
        passing: .cloud(.toOne),
        failing: .cloud(
            "<entity name='A'><relationship name='r' maxCount='1' optional='YES' ◀deletionRule='Deny' destinationEntity='A' inverseName='r' inverseEntity='A'/></entity>"
        ),
        check: .mirrored(\.relationships) { relationship in
            guard relationship.deleteRule == .deny else { return nil }
            return Violation(
                "choose Nullify or Cascade for '\(relationship.name)': CloudKit does not support Deny",
                of: "deletionRule"
            )
        }
    )

    static let cloudkitMandatoryAttribute = Rule(
        .named("cloudkit-mandatory-attribute", .cloudKit, .error),
        summary: "Attributes in CloudKit are optional or have a default",
        rationale: "Records arrive in parts and from older versions, so a value may be missing.",
        appleText: """
            CloudKit integration requires that all attributes be optional, or have a \
            default value set. The following attributes are marked non-optional but do \
            not have a default value:
            """,
        passing: .cloud(.attribute),
        failing: .cloud("<entity name='A'><attribute ◀name='a' attributeType='String'/></entity>"),
        check: .mirrored(\.attributes) { attribute in
            guard !attribute.isOptional, attribute.defaultValue == nil,
                attribute.unstatedDefault == nil, attribute.derivation == nil
            else { return nil }
            return Violation(
                "make '\(attribute.name)' optional or give it a default: CloudKit requires it"
            )
        }
    )

    static let cloudkitMandatoryRelationship = Rule(
        .named("cloudkit-mandatory-relationship", .cloudKit, .error),
        summary: "Relationships in CloudKit are optional",
        rationale: "The record at the other end may arrive later.",
        appleText: """
            CloudKit integration requires that all relationships be optional, the \
            following are not:
            """,
        passing: .cloud(.toOne),
        failing: .cloud(
            "<entity name='A'><relationship ◀name='r' maxCount='1'  destinationEntity='A' inverseName='r' inverseEntity='A'/></entity>"
        ),
        fix: .movingHash("makes it optional"),
        check: .mirrored(\.relationships) { relationship in
            guard !relationship.isOptional else { return nil }
            return Violation(
                "make '\(relationship.name)' optional: CloudKit requires it",
                fix: Fix(
                    "make it optional",
                    at: relationship.source.element,
                    .tag(.set("optional", "YES")),
                    movesHash: true
                )
            )
        }
    )

    static let cloudkitMissingInverse = Rule(
        .named("cloudkit-missing-inverse", .cloudKit, .error),
        summary: "Relationships in CloudKit have an inverse",
        rationale: "Mirroring sets both sides.",
        appleText: """
            CloudKit integration requires that all relationships have an inverse, the \
            following do not:
            """,
        passing: .cloud(.toOne),
        failing: .cloud(
            "<entity name='A'><relationship ◀name='r' maxCount='1' optional='YES' destinationEntity='A'/></entity>"
        ),
        check: .mirrored(\.relationships) { relationship in
            guard relationship.inverseName == nil else { return nil }
            return Violation("give '\(relationship.name)' an inverse: CloudKit requires it")
        }
    )

    static let cloudkitOrderedRelationship = Rule(
        .named("cloudkit-ordered-relationship", .cloudKit, .error),
        summary: "Relationships in CloudKit have no order",
        rationale: "CloudKit keeps no order of references. Keep the order in an attribute.",
        appleText: """
            CloudKit integration does not support ordered relationships. The following \
            relationships are marked ordered:
            """,
        passing: .cloud(.toOne),
        failing: .cloud(
            "<entity name='A'><relationship name='r' toMany='YES' ◀ordered='YES' optional='YES' destinationEntity='A' inverseName='r' inverseEntity='A'/></entity>"
        ),
        check: .mirrored(\.relationships) { relationship in
            guard relationship.isOrdered else { return nil }
            return Violation(
                "keep the order of '\(relationship.name)' in an attribute: CloudKit keeps none",
                of: "ordered"
            )
        }
    )

    static let cloudkitSchemaRemoval = Rule(
        .named("cloudkit-schema-removal", .cloudKit, .warning),
        summary: "A version used with CloudKit removes, renames and retypes nothing",
        rationale: """
            The production schema of CloudKit only grows: a record type or field stays permanently, with its type and \
            encryption; older versions of the app still write it, and a renamed one is new and has no data.
            """,
        passing: RuleExample(
            """
            <entity name='A'><attribute name='a' optional='YES' attributeType='String'/></entity>
            <configuration name='Cloud' usedWithCloudKit='YES'><memberEntity name='A'/></configuration>
            """,
            """
            <entity name='A'><attribute name='a' optional='YES' attributeType='String'/>
            <attribute name='b' optional='YES' attributeType='String'/></entity>
            <configuration name='Cloud' usedWithCloudKit='YES'><memberEntity name='A'/></configuration>
            """
        ),
        failing: RuleExample(
            """
            <entity name='A'><attribute name='a' optional='YES' attributeType='String'/>
            <attribute name='b' optional='YES' attributeType='String'/></entity>
            <configuration name='Cloud' usedWithCloudKit='YES'><memberEntity name='A'/></configuration>
            """,
            """
            ◀<entity name='A'><attribute name='a' optional='YES' attributeType='String'/></entity>
            <configuration name='Cloud' usedWithCloudKit='YES'><memberEntity name='A'/></configuration>
            """
        ),
        check: .step { step in
            step.mapping.judgements.compactMap { judgement in
                guard let ruling = judgement.cloudKit, ruling.verdict == .refused else {
                    return nil
                }
                let change = judgement.change
                let subject = change.subject.path.map { "'\($0)'" } ?? "the mirrored part"
                return Violation(
                    "leave \(subject) as it was: \(ruling.effect)",
                    at: change.toLocation ?? step.to.elementLocation,
                    element: change.subject.path,
                    notes: change.fromLocation.map {
                        [Diagnostic.Note("it was here", at: $0)]
                    } ?? []
                )
            }
        }
    )

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
        passing: .cloud(.attribute),
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

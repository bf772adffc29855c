import Diagnostics
import ObjectModel

extension Rule {
    static let cloudkitMandatoryAttribute = Rule(
        .named("cloudkit-mandatory-attribute", .cloudKit, .error),
        summary: "Attributes in CloudKit are optional or have a default",
        rationale: "Records arrive in parts and from older versions, so a value may be missing.",
        appleText: """
            CloudKit integration requires that all attributes be optional, or have a \
            default value set. The following attributes are marked non-optional but do \
            not have a default value:
            """,
        passing: .cloud(
            "<entity name='A'><attribute name='a' optional='YES' attributeType='String'/></entity>"
        ),
        failing: .cloud("<entity name='A'><attribute ◀name='a' attributeType='String'/></entity>"),
        check: .model { model in
            model.cloudKitEntities.flatMap { entity in
                entity.attributes.filter {
                    !$0.isOptional && $0.defaultValue == nil && $0.unstatedDefault == nil
                        && !$0.isTransient && $0.derivation == nil
                }.map { attribute in
                    Violation(
                        "make '\(attribute.name)' optional or give it a default: CloudKit requires it",
                        at: attribute.source.location(of: "name"),
                        element: "\(entity.name).\(attribute.name)"
                    )
                }
            }
        }
    )
}

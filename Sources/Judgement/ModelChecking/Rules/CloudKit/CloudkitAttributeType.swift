import Diagnostics
import ObjectModel

extension Rule {
    static let cloudkitAttributeType = Rule(
        .named("cloudkit-attribute-type", .cloudKit, .error),
        summary: "Attributes in CloudKit have a type that CloudKit can hold",
        rationale: "There is no record field for attributes of undefined type or for object IDs.",
        passing: .cloud(
            "<entity name='A'><attribute name='a' optional='YES' attributeType='String'/></entity>"
        ),
        failing: .cloud("<entity name='A'><attribute ◀name='a' optional='YES'/></entity>"),
        check: .model { model in
            model.cloudKitEntities.flatMap { entity in
                entity.attributes.filter {
                    ($0.type == .undefined || $0.type == .objectID) && !$0.isTransient
                        && $0.derivation == nil
                }.map { attribute in
                    Violation(
                        "give '\(attribute.name)' a type that CloudKit can hold",
                        at: attribute.source.location(of: "name"),
                        element: "\(entity.name).\(attribute.name)"
                    )
                }
            }
        }
    )
}

import Diagnostics
import ObjectModel

extension Rule {
    static let undefinedAttributeType = Rule(
        .named("undefined-attribute-type", .apple, .warning),
        summary: "Stored attributes have a type",
        rationale: """
            Apple allows only transient attributes to have no type: a stored one has no column type, and the \
            coordinator refuses the model. It is a warning because a few published models have such attributes.
            """,
        appleText: "NSUndefinedAttributeType is valid for transient properties",
        passing: "<entity name='A'><attribute name='t' optional='YES' transient='YES'/></entity>",
        failing: "<entity name='A'><attribute ◀name='t' optional='YES'/></entity>",
        check: .model { model in
            model.forEachAttribute { attribute, entity in
                guard attribute.type == .undefined, !attribute.isTransient,
                    attribute.derivation == nil,
                    !attribute.unrecognized.contains(where: { $0.name == "attributeType" })
                else { return nil }
                return Violation(
                    "give '\(attribute.name)' a type, or make it transient",
                    at: attribute.source.location(of: "name"),
                    element: "\(entity.name).\(attribute.name)"
                )
            }
        }
    )
}

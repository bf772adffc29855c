import Diagnostics
import ObjectModel

extension Rule {
    static let insecureTransformer = Rule(
        .named("insecure-transformer", .apple, .note),
        summary: "Transformable attributes name a secure value transformer",
        rationale: """
            The default transformer unarchives any class named in the data, which is unsafe, and Core Data logs that \
            at every launch. Another transformer must be able to read existing stores: NSSecureUnarchiveFromData reads \
            only archives of property-list classes.
            """,
        appleText: """
            E.p is using a nil or insecure value transformer. Please switch to \
            NSSecureUnarchiveFromDataTransformerName or a custom NSValueTransformer \
            subclass of NSSecureUnarchiveFromDataTransformer [2]
            """,
        passing:
            "<entity name='A'><attribute name='t' optional='YES' attributeType='Transformable' valueTransformerName='NSSecureUnarchiveFromData'/></entity>",
        failing:
            "<entity name='A'><attribute ◀name='t' optional='YES' attributeType='Transformable'/></entity>",
        """
        <entity name='A'><attribute name='t' optional='YES' attributeType='Transformable'
          ◀valueTransformerName='NSKeyedUnarchiveFromData'/></entity>
        """,
        check: .model { model in
            model.forEachAttribute { attribute, entity in
                let name = attribute.valueTransformerName ?? ""
                guard attribute.type == .transformable, !attribute.isTransient, isInsecure(name)
                else { return nil }
                return Violation(
                    "name a secure value transformer for '\(attribute.name)', such as"
                        + " NSSecureUnarchiveFromData",
                    at: attribute.source.location(
                        of: name.isEmpty ? "name" : "valueTransformerName"
                    ),
                    element: "\(entity.name).\(attribute.name)"
                )
            }
        }
    )
}

private func isInsecure(_ transformer: String) -> Bool {
    [
        "", "NSKeyedUnarchiveFromData", "NSKeyedUnarchiveFromDataTransformerName",
        "NSUnarchiveFromData", "NSUnarchiveFromDataTransformerName",
    ].contains(transformer)
}

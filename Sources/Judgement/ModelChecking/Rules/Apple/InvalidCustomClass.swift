import Diagnostics
import ObjectModel

extension Rule {
    static let invalidCustomClass = Rule(
        .named("invalid-custom-class", .apple, .note),
        summary: "Custom classes of attributes are Objective-C classes",
        rationale: """
            Core Data looks up the class by its Objective-C name when the model is loaded; a Swift array or generic \
            type has none, and it logs a fault.
            """,
        appleText: """
            Declared Objective-C type "[Int64]" for attribute named relatedIDs is not \
            valid
            """,
        passing:
            "<entity name='A'><attribute name='t' optional='YES' attributeType='Transformable' customClassName='NSArray' valueTransformerName='NSSecureUnarchiveFromData'/></entity>",
        failing: """
            <entity name='A'><attribute name='t' optional='YES' attributeType='Transformable' valueTransformerName='NSSecureUnarchiveFromData'
              ◀customClassName='[Int64]'/></entity>
            """,
        check: .model { model in
            model.forEachAttribute { attribute, entity in
                // SwiftData writes such names itself, and reads the values without the class.
                guard let name = attribute.customClassName, !name.hasPrefix("Array<"),
                    name.contains(where: { "[]<>?:(), ".contains($0) })
                else { return nil }
                return Violation(
                    "name an Objective-C class for '\(attribute.name)', such as NSArray; '\(name)' is not one",
                    at: attribute.source.location(of: "customClassName"),
                    element: "\(entity.name).\(attribute.name)"
                )
            }
        }
    )
}

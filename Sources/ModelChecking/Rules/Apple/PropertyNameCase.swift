import Diagnostics
import ObjectModel

extension Rule {
    /// Property names begin with a lower-case letter.
    static let propertyNameCase = Rule(
        "property-name-case",
        .apple,
        .warning,
        summary: "Property names begin with a lower-case letter",
        rationale: """
            Xcode asks for it: key-value coding finds accessors by it. None of 282,611 \
            attributes in published models breaks the rule.
            """,
        passing: [
            """
            <entity name='A'><attribute name='title' optional='YES' attributeType='String'/></entity>
            """
        ],
        failing: [
            """
            <entity name='A'><attribute ◀name='Title' optional='YES' attributeType='String'/></entity>
            """
        ],
        check: .model { model in
            model.forEachProperty { property, entity in
                guard property.name.first?.isUppercase ?? false else { return nil }
                return Violation(
                    "begin the name of '\(property.name)' with a lower-case letter",
                    at: property.source.location(of: "name"),
                    element: "\(entity.name).\(property.name)"
                )
            }
        }
    )
}

import Diagnostics
import ObjectModel

extension Rule {
    static let propertyNameCase = Rule(
        .named("property-name-case", .apple, .note),
        summary: "Property names begin with a lower-case letter",
        rationale: """
            Xcode's editor requires it: key-value coding relies on it to find accessors. Models that shipped with \
            capitals still work, and renaming their properties would need a migration, so this is a note.
            """,
        passing:
            "<entity name='A'><attribute name='title' optional='YES' attributeType='String'/></entity>",
        failing:
            "<entity name='A'><attribute ◀name='Title' optional='YES' attributeType='String'/></entity>",
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

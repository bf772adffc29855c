import Diagnostics
import ObjectModel

extension Rule {
    static let defaultOutsideLimits = Rule(
        .named("default-outside-limits", .apple, .warning),
        summary: "Default values are within their limits",
        rationale: """
            A new object is invalid until its default is replaced. Zero, which Xcode writes for numbers that code \
            always sets, is ignored.
            """,
        passing:
            "<entity name='A'><attribute name='a' attributeType='Integer 16' minValueString='1' defaultValueString='1'/></entity>",
        failing: """
            <entity name='A'><attribute name='a' attributeType='Integer 16' minValueString='2'
              ◀defaultValueString='1'/></entity>
            """,
        check: .model { model in
            model.forEachAttribute { attribute, entity in
                guard attribute.type != .string, let value = attribute.defaultValue?.magnitude,
                    value != 0,
                    value < attribute.validation.minimum?.magnitude ?? -.infinity
                        || value > attribute.validation.maximum?.magnitude ?? .infinity
                else { return nil }
                return Violation(
                    "choose a default of '\(attribute.name)' within its limits",
                    at: attribute.source.location(
                        of: attribute.type == .date
                            ? "defaultDateTimeInterval" : "defaultValueString"
                    ),
                    element: "\(entity.name).\(attribute.name)"
                )
            }
        }
    )
}

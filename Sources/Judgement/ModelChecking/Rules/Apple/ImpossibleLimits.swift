import Diagnostics
import ObjectModel

extension Rule {
    static let impossibleLimits = Rule(
        .named("impossible-limits", .apple, .warning),
        summary: "The minimum of an attribute is not above its maximum",
        rationale: "No value is within such limits, so nothing can be saved.",
        passing:
            "<entity name='A'><attribute name='a' optional='YES' attributeType='Integer 16' minValueString='1' maxValueString='2'/></entity>",
        failing: """
            <entity name='A'><attribute name='a' optional='YES' attributeType='Integer 16'
              ◀minValueString='3' maxValueString='2'/></entity>
            """,
        check: .model { model in
            model.forEachAttribute { attribute, entity in
                guard let minimum = attribute.validation.minimum?.magnitude,
                    let maximum = attribute.validation.maximum?.magnitude, minimum > maximum
                else { return nil }
                return Violation(
                    "lower the minimum of '\(attribute.name)' below its maximum",
                    at: attribute.source.location(
                        of: attribute.type == .date ? "minDateTimeInterval" : "minValueString"
                    ),
                    element: "\(entity.name).\(attribute.name)"
                )
            }
        }
    )
}

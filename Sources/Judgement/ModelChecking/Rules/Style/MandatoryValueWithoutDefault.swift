import Diagnostics
import ObjectModel

extension Rule {
    static let mandatoryValueWithoutDefault = Rule(
        .named("mandatory-value-without-default", .style, .note),
        summary: "Mandatory dates, UUIDs and URIs have a default",
        rationale: """
            The model allows it, but the Swift accessor of a mandatory Date, UUID or URL is not optional and traps \
            when it is read before it is set.
            """,
        passing:
            "<entity name='A'><attribute name='d' attributeType='Date' optional='YES'/></entity>",
        failing: "<entity name='A'><attribute ◀name='d' attributeType='Date'/></entity>",
        check: .model { model in
            // SwiftData's classes have initializers that set everything.
            guard !model.version.path.hasSuffix(".swift") else { return [] }
            return model.forEachAttribute { attribute, entity in
                guard [.date, .uuid, .uri].contains(attribute.type), !attribute.isOptional,
                    !attribute.isTransient, attribute.defaultValue == nil,
                    attribute.derivation == nil
                else { return nil }
                return Violation(
                    "set '\(attribute.name)' before it is read or saved: it is mandatory and has no default",
                    at: attribute.source.location(of: "name"),
                    element: "\(entity.name).\(attribute.name)"
                )
            }
        }
    )
}

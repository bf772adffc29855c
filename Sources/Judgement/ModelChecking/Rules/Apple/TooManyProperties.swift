import Diagnostics
import ObjectModel

/// One attribute more than Xcode accepts silently.
private let attributes = (0...100).map {
    "<attribute name='a\($0)0' optional='YES' attributeType='String'/>"
}
.joined(separator: "\n")

extension Rule {
    static let tooManyProperties = Rule(
        .named("too-many-properties", .apple, .warning),
        summary: "Entities have at most 100 properties",
        rationale: """
            Xcode warns about larger ones: every fetch reads the whole row. Move what is seldom read into a separate \
            entity.
            """,
        passing: "<entity name='A'/>",
        failing: RuleExample("<entity ◀name='A'>" + attributes + "</entity>"),
        check: .model { model in
            zip(model.entities, model.properties).compactMap { entity, properties in
                guard properties.count > 100 else { return nil }
                return Violation(
                    "split '\(entity.name)': it has \(properties.count) properties",
                    at: entity.source.location(of: "name"),
                    element: entity.name
                )
            }
        }
    )
}

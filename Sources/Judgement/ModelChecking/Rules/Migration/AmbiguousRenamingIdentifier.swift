import Diagnostics
import ObjectModel

extension Rule {
    static let ambiguousRenamingIdentifier = Rule(
        .named("ambiguous-renaming-identifier", .migration, .warning),
        summary: "Each renaming identifier is used once",
        rationale: """
            Two items of one version continue the same item of the previous version: Core Data matches only one of \
            them, and the other starts empty. Transient properties have no values and do not count. If it can no \
            longer be changed, `claimants: [Person.name]` in `.momtool.yml` says which one was renamed.
            """,
        passing:
            "<entity name='A'><attribute name='a' optional='YES' attributeType='String' elementID='z'/></entity>",
        failing: """
            <entity name='A'><attribute name='a' optional='YES' attributeType='String' elementID='z'/>
            <attribute name='b' optional='YES' attributeType='String' ◀elementID='z'/></entity>
            """,
        check: .model { model in
            var entities: [String: Entity] = [:]
            var violations: [Violation] = []
            for (entity, list) in zip(model.entities, model.properties) {
                if let other = entities.updateValue(entity, forKey: entity.matchingIdentifier),
                    other.name != entity.name
                {
                    violations.append(
                        clash(entity.name, other.name, entity.matchingIdentifier, entity.source)
                    )
                }
                // Names differ; only identifiers clash.
                guard list.contains(where: { $0.renamingIdentifier != nil }) else { continue }
                var properties: [String: String] = [:]
                // Transient properties have no values that another could lose.
                for property in list where !property.isTransient {
                    let identifier = property.matchingIdentifier
                    guard let other = properties.updateValue(property.name, forKey: identifier),
                        other != property.name
                    else { continue }
                    let path = "\(entity.name).\(property.name)"
                    violations.append(clash(path, other, identifier, property.source))
                }
            }
            return violations
        }
    )
}

private func clash(
    _ element: String,
    _ other: String,
    _ identifier: String,
    _ source: SourceMark
) -> Violation {
    Violation(
        "give '\(element)' its own renaming identifier: '\(other)' matches '\(identifier)' too",
        at: source.location(of: "elementID"),
        element: element
    )
}

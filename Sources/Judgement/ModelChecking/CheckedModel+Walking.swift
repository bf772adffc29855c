import ModelDiffing
import ObjectModel

extension CheckedModel {
    func forEach(
        with setting: String,
        _ check: (_ name: String, _ source: SourceMark, _ element: String) -> Violation?
    ) -> [Violation] {
        var violations: [Violation?] = []
        for entity in entities {
            let (attributes, relationships) = (entity.attributes, entity.relationships)
            if entity.sourceSettings[setting] != nil {
                violations.append(check(entity.name, entity.source, entity.name))
            }
            for index in attributes.indices where attributes[index].sourceSettings[setting] != nil {
                let name = attributes[index].name
                violations.append(check(name, attributes[index].source, "\(entity.name).\(name)"))
            }
            for relationship in relationships where relationship.sourceSettings[setting] != nil {
                let element = "\(entity.name).\(relationship.name)"
                violations.append(check(relationship.name, relationship.source, element))
            }
        }
        return violations.compactMap(\.self)
    }

    func forEachIdentified(
        _ check: (
            _ name: String, _ identifier: String, _ source: SourceMark, _ element: String
        ) -> Violation?
    ) -> [Violation] {
        zip(entities, properties).flatMap { entity, list in
            let own = entity.renamingIdentifier.flatMap {
                check(entity.name, $0, entity.source, entity.name)
            }
            let properties = list.compactMap { property in
                property.renamingIdentifier.flatMap {
                    check(property.name, $0, property.source, "\(entity.name).\(property.name)")
                }
            }
            return [own].compactMap(\.self) + properties
        }
    }
}

extension SourceMark {
    /// Whether the element has an attribute; only a file with locations can tell.
    func has(_ attribute: String) -> Bool {
        guard let element, let place = Optional(location(of: attribute)) else { return false }
        return place != element
    }
}

extension CheckedStep {
    /// The changes in continued entities that affect no version hash, so that Core Data does not see them.
    var silentChanges: [ModelChange] {
        let moved = Set(diff.movedEntities)
        return diff.changes.filter { change in
            guard !change.movesVersionHash, let entity = change.subject.entity else { return false }
            return !moved.contains(entity)
        }
    }
}

extension ModelChange {
    var isIndexChange: Bool {
        switch self {
        case .entityChanged(_, .fetchIndexAdded), .entityChanged(_, .fetchIndexRemoved),
            .entityChanged(_, .fetchIndex), .entityChanged(_, .compoundIndexes),
            .attributeChanged(_, .flag(.indexed, _, _)),
            .relationshipChanged(_, .flag(.indexed, _, _)):
            true
        default: false
        }
    }
}

extension AttributeValue {
    var magnitude: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value): value
        case .float(let value): Double(value)
        case .date(let value): value
        case .decimal(let value):
            Double("\(value.isNegative ? "-" : "")\(value.mantissa)e\(value.exponent)")
        case .string, .boolean, .binary, .uuid, .uri: nil
        }
    }
}

extension String {
    /// The text as used within a sentence; a name that begins with several capitals, such as `UUID`, stays.
    func loweringFirstLetter() -> String {
        dropFirst().first?.isUppercase == true ? self : prefix(1).lowercased() + dropFirst()
    }
}

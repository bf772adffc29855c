import MappingInference
import ObjectModel

/// The changes of a step to the properties of its old version that a row can show.
struct TemplateChanges {
    /// The names of the properties for which a row needs a value, by entity.
    private(set) var names: [String: Set<String>] = [:]
    /// What happens to attributes, by paths such as `Book.title`.
    private(set) var notes: [String: String] = [:]
    /// The paths of attributes that the step drops and a new one of that name continues: a stage moves their values.
    private(set) var held: Set<String> = []

    init(_ mapping: InferredMapping, _ graph: ModelGraph, isEmpty: Bool) {
        guard !isEmpty, mapping.isInferable else { return }
        for item in mapping.entityMappings {
            guard let name = item.sourceEntity, let entity = graph.entity(name),
                item.destinationEntity != nil
            else { continue }
            let attributes = graph.attributes(of: entity)
            for change in item.attributeMappings {
                guard let note = Self.note(change), let source = change.source,
                    let attribute = attributes.first(where: { $0.name == source.name }),
                    !attribute.isTransient, attribute.derivation == nil,
                    attribute.type != .composite
                else { continue }
                names[name, default: []].insert(source.name)
                notes["\(name).\(source.name)"] = note
            }
            let kept = Set(item.attributeMappings.compactMap { $0.source?.name })
            for change in item.attributeMappings
            where change.source == nil && change.elementPath.isEmpty
                && !kept.contains(change.destination.name)
            {
                let old = change.destination.name
                guard let attribute = attributes.first(where: { $0.name == old }),
                    !attribute.isTransient, attribute.derivation == nil,
                    attribute.type != .composite
                else { continue }
                names[name, default: []].insert(old)
                notes["\(name).\(old)"] = "a stage moves it"
                held.insert("\(name).\(old)")
            }
            for change in item.relationshipMappings {
                guard case .relationship(let old) = change.origin,
                    old.name != change.destination.name,
                    Self.leadsElsewhere(old.name, entity, graph)
                else { continue }
                names[name, default: []].insert(old.name)
            }
        }
    }

    private static func note(_ change: AttributeMapping) -> String? {
        guard change.elementPath.isEmpty, change.sourceElementPath.isEmpty,
            change.expression == nil, let source = change.source
        else { return nil }
        if source.name != change.destination.name { return "becomes \(change.destination.name)" }
        switch change.conversion {
        case .none: return nil
        case .numeric, .uriToString: return "its type changes"
        case .externalStorage, .unverified, .incompatible: return nil
        }
    }

    /// Whether a relationship leads to rows of other entities: each has one row, which is not linked to itself.
    private static func leadsElsewhere(
        _ name: String,
        _ entity: Entity,
        _ graph: ModelGraph
    ) -> Bool {
        guard let link = graph.relationships(of: entity).first(where: { $0.name == name }),
            let target = graph.destination(of: link)
        else { return false }
        return graph.root(of: target).name != graph.root(of: entity).name
    }
}

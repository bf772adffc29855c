import ModelDiffing
import ObjectModel

/// The changes of entities and properties, by their new names; of removed ones by their old names.
struct ChangeMarks {
    private var marks: [[String]: Diagram.Mark] = [:]
    private var rules: [[String]: String] = [:]

    init() {}

    init(_ diff: ModelDiff) {
        for change in diff.changes {
            let subject = change.subject
            guard let entity = subject.entity else { continue }
            switch change {
            case .entityAdded: marks[[entity]] = .added
            case .entityRemoved: marks[[entity]] = .removed
            default: if marks[[entity]] == nil { marks[[entity]] = .changed }
            }
            guard let property = subject.property else { continue }
            // What was removed from an entity is drawn in the entity that continues it.
            let owner = change.owner ?? entity
            if marks[[owner]] == nil { marks[[owner]] = .changed }
            marks[[owner, property]] = change.propertyMark
            if case .relationshipChanged(_, .deleteRule(let old, let new)) = change {
                rules[[owner, property]] = "\(old.sourceName) → \(new.sourceName), "
            }
        }
    }

    func of(_ entity: String, _ property: String?) -> Diagram.Mark {
        let own = marks[[entity]] ?? .same
        guard let property else { return own }
        return own == .added || own == .removed ? own : marks[[entity, property]] ?? .same
    }

    /// The change of a relationship's delete rule; before the destination, which is cut in long rows; empty for none.
    func rule(of entity: String, _ property: String) -> String { rules[[entity, property]] ?? "" }

    func union(
        of from: ManagedObjectModel,
        _ to: ManagedObjectModel,
        _ diff: ModelDiff
    ) -> ManagedObjectModel {
        var model = to
        let indexes = Dictionary(firstOf: model.entities.enumerated().map { ($1.name, $0) })
        let newNames = Dictionary(firstOf: diff.entityPairs.map { ($0.from.name, $0.to.name) })
        for change in diff.changes {
            switch change {
            case .entityRemoved(var entity):
                entity.parentEntity = entity.parentEntity.map { newNames[$0] ?? $0 }
                model.entities.append(entity)
            case .attributeRemoved(let attribute, let pair):
                guard let index = indexes[pair.to.name] else { continue }
                model.entities[index].attributes.append(attribute)
            case .relationshipRemoved(var relationship, let pair):
                guard let index = indexes[pair.to.name] else { continue }
                relationship.destinationEntity = relationship.destinationEntity.map {
                    newNames[$0] ?? $0
                }
                model.entities[index].relationships.append(relationship)
            default: continue
            }
        }
        return model
    }
}

extension ModelChange {
    /// The entity in which the change is drawn, where that is not the subject's.
    fileprivate var owner: String? {
        switch self {
        case .attributeRemoved(_, let pair), .relationshipRemoved(_, let pair): pair.to.name
        default: nil
        }
    }

    fileprivate var propertyMark: Diagram.Mark {
        switch self {
        case .attributeAdded, .relationshipAdded: .added
        case .attributeRemoved, .relationshipRemoved: .removed
        case .part(let part) where part.action == .added: .added
        case .part(let part) where part.action == .removed: .removed
        default: .changed
        }
    }
}

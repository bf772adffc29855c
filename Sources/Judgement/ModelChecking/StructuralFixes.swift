import Diagnostics
import ModelEditing
import ObjectModel

/// Fixes for faults that the model reader found, where only one fix is possible.
///
/// There are three kinds: an exact duplicate of an element, a name that an element of the same version had before it was
/// renamed, and an inverse that the other side names.
struct StructuralFixes {
    private let graph: ModelGraph
    private let model: ManagedObjectModel
    private let claims: InverseClaims

    init(_ version: ModelVersion) {
        model = version.model
        graph = ModelGraph(version.model)
        claims = InverseClaims(graph)
    }

    static let rules: Set<RuleID> = [
        "broken-inverse", "duplicate-name", "unknown-destination", "unknown-parent-entity",
        "unknown-reference",
    ]

    /// Returns the cure of a finding; `nil` where there is a choice.
    func fix(of finding: Diagnostic) -> Fix? {
        switch finding.rule {
        case "duplicate-name": twin(at: finding.location)
        case "broken-inverse": inverse(at: finding.location)
        case "unknown-destination": destination(at: finding.location)
        case "unknown-parent-entity": parent(at: finding.location)
        case "unknown-reference": reference(finding)
        default: nil
        }
    }

    private func twin(at place: FileLocation?) -> Fix? {
        func fix<Item: Hashable>(_ items: [Item], _ source: (Item) -> SourceMark) -> Fix? {
            guard let item = items.first(where: { source($0).location(of: "name") == place }),
                items.count(where: { $0 == item }) > 1
            else { return nil }
            return Fix("remove the duplicate", at: source(item).element, .tag(.removeTwin))
        }
        let whole =
            fix(model.entities, \.source) ?? fix(model.composites, \.source)
            ?? fix(model.configurations, \.source) ?? fix(model.fetchRequestTemplates, \.source)
        if let whole { return whole }
        for entity in model.entities {
            let own =
                fix(entity.attributes, \.source) ?? fix(entity.relationships, \.source)
                ?? fix(entity.fetchedProperties, \.source) ?? fix(entity.fetchIndexes, \.source)
            if let own { return own }
        }
        return model.composites.lazy.compactMap { fix($0.attributes, \.source) }.first
    }

    /// The only entity that had a name before; `nil` where there is one of that name.
    private func renamedEntity(_ name: String) -> String? {
        guard !name.isEmpty, graph.entity(name) == nil else { return nil }
        let found = model.entities.filter { $0.renamingIdentifier == name }
        return found.count == 1 ? found[0].name : nil
    }

    /// The only property that had a name before, of an entity or one that it inherits from.
    private func renamedProperty(_ name: String, of entity: Entity) -> String? {
        guard !name.isEmpty, graph.property(name, of: entity) == nil else { return nil }
        let found = graph.lineage(of: entity).flatMap(\.properties)
            .filter { $0.renamingIdentifier == name }
        return found.count == 1 ? found[0].name : nil
    }

    private func destination(at place: FileLocation?) -> Fix? {
        for relationship in model.entities.flatMap(\.relationships)
        where relationship.source.location(of: "destinationEntity") == place {
            guard let old = relationship.destinationEntity, let new = renamedEntity(old) else {
                return nil
            }
            let isBoth = relationship.inverseEntity == old
            let changes = ["destinationEntity"] + (isBoth ? ["inverseEntity"] : [])
            return relationship.source.element.flatMap { place in
                Fix(
                    "use the new name of the destination: '\(new)'",
                    changes.map {
                        Fix.Change(location: place, edit: .tag(.set($0, new)))
                    },
                    movesHash: false
                )
            }
        }
        return nil
    }

    private func parent(at place: FileLocation?) -> Fix? {
        let entity = model.entities.first { $0.source.location(of: "parentEntity") == place }
        guard let entity, let new = entity.parentEntity.flatMap(renamedEntity) else { return nil }
        return Fix(
            "use the new name of the parent entity: '\(new)'",
            at: entity.source.element,
            .tag(.set("parentEntity", new))
        )
    }

    /// A reference is at an element that may have several; the message names one.
    private func reference(_ finding: Diagnostic) -> Fix? {
        guard let place = finding.location else { return nil }
        func isMeant(_ name: String) -> Bool { finding.message.hasSuffix("'\(name)'") }
        func fix(_ new: String, _ edit: Fix.Edit, movesHash: Bool = false) -> Fix? {
            Fix("write its new name '\(new)'", at: place, edit, movesHash: movesHash)
        }
        for item in model.configurations where item.source.element == place {
            guard let old = item.memberEntities.first(where: isMeant),
                let new = renamedEntity(old), !item.memberEntities.contains(new)
            else { continue }
            return fix(new, .tag(.replace(below: "memberEntity", "name", old, with: new)))
        }
        for item in model.fetchRequestTemplates where item.source.element == place {
            guard let new = item.entity.flatMap(renamedEntity) else { continue }
            return fix(new, .tag(.set("entity", new)))
        }
        for entity in model.entities {
            for item in entity.fetchIndexes where item.source.element == place {
                let names = item.propertyNames
                guard let old = names.first(where: isMeant),
                    let new = renamedProperty(old, of: entity), !names.contains(new)
                else { continue }
                return fix(
                    new,
                    .tag(.replace(below: "fetchIndexElement", "property", old, with: new))
                )
            }
            for item in entity.uniquenessConstraints where item.source.element == place {
                guard let old = item.properties.first(where: isMeant),
                    let new = renamedProperty(old, of: entity), !item.properties.contains(new)
                else { continue }
                return fix(
                    new,
                    .tag(.replace(below: "constraint", "value", old, with: new)),
                    movesHash: true
                )
            }
        }
        return nil
    }

    private func inverse(at place: FileLocation?) -> Fix? {
        for entity in model.entities {
            for relationship in entity.relationships
            where relationship.source.location(of: "inverseName") == place {
                return claims.fix(of: relationship, in: entity)
                    ?? claims.fixOfOtherSide(of: relationship, in: entity)
            }
        }
        return nil
    }
}

struct InverseClaims {
    private let graph: ModelGraph
    /// The claims by the named relationship, as `Order.items`.
    private var claims: [String: [(entity: String, name: String)]] = [:]

    init(_ graph: ModelGraph) {
        self.graph = graph
        for entity in graph.model.entities {
            for relationship in entity.relationships {
                guard let name = relationship.inverseName, let end = relationship.destinationEntity,
                    (relationship.inverseEntity ?? end) == end
                else { continue }
                claims["\(end).\(name)", default: []].append((entity.name, relationship.name))
            }
        }
    }

    /// The fix for a relationship whose inverse is missing or wrong, if exactly one relationship leads back to it.
    func fix(of relationship: Relationship, in entity: Entity) -> Fix? {
        guard let sides = claims["\(entity.name).\(relationship.name)"], sides.count == 1,
            let destination = graph.destination(of: relationship),
            graph.lineage(of: destination).contains(where: { $0.name == sides[0].entity }),
            sides[0].name != relationship.inverseName
        else { return nil }
        return Fix(
            inverse: sides[0].name,
            of: sides[0].entity,
            for: relationship,
            "\(entity.name).\(relationship.name)"
        )
    }

    /// The fix for a relationship whose inverse does not lead back, although it could.
    ///
    /// Where two relationships name the same inverse, it can be that of one only.
    fileprivate func fixOfOtherSide(of relationship: Relationship, in entity: Entity) -> Fix? {
        guard let (other, owner) = graph.inverse(of: relationship), other.inverseName == nil,
            other.destinationEntity == entity.name, relationship.destinationEntity == owner.name,
            claims["\(owner.name).\(other.name)"]?.count == 1
        else { return nil }
        return Fix(
            inverse: relationship.name,
            of: entity.name,
            for: other,
            "\(owner.name).\(other.name)"
        )
    }
}

extension Fix {
    /// Names the inverse of a relationship, which is part of its entity's hash.
    fileprivate init?(
        inverse name: String,
        of entity: String,
        for relationship: Relationship,
        _ path: String
    ) {
        self.init(
            "make '\(entity).\(name)' the inverse of '\(path)'",
            at: relationship.source.element,
            .tag(.set("inverseName", name)),
            .tag(.set("inverseEntity", entity)),
            movesHash: true
        )
    }
}

extension FetchIndex {
    fileprivate var propertyNames: [String] {
        elements.compactMap { element in
            if case .property(let name) = element.subject { name } else { nil }
        }
    }
}

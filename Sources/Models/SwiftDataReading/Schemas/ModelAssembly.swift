import Diagnostics
import ObjectModel

struct ModelAssembly {
    let index: TypeIndex
    private var composites: [CompositeType] = []
    private var names: [[Attribute]: String] = [:]
    private var takenNames: Set<String> = []

    init(_ index: TypeIndex) { self.index = index }

    /// Returns the model with its entities in alphabetical order, as in Core Data's own models.
    mutating func model(
        of drafts: [EntityDraft],
        inverses: [InversePairing.Side: String],
        identifier: String
    ) -> ManagedObjectModel {
        var model = ManagedObjectModel(versionIdentifiers: [identifier])
        let order = drafts.indices.sorted { drafts[$0].name.precedesByCodeUnits(drafts[$1].name) }
        model.entities = order.map { number in entity(drafts[number], number, inverses) }
        model.composites = composites
        // SwiftData's own models name one configuration, with all entities.
        model.configurations = [
            Configuration(name: "default", memberEntities: model.entities.map(\.name))
        ]
        model.source = drafts.first.map { index.mark(index.nodes[$0.id].place) } ?? SourceMark()
        return model
    }

    private mutating func entity(
        _ draft: EntityDraft,
        _ number: Int,
        _ inverses: [InversePairing.Side: String]
    ) -> Entity {
        var entity = Entity(name: draft.name)
        entity.parentEntity = draft.parent.map { index.nodes[$0].name }
        entity.renamingIdentifier = draft.renamingIdentifier
        entity.source = index.mark(index.nodes[draft.id].place)
        entity.uniquenessConstraints = draft.constraints
        entity.fetchIndexes = draft.indexes
        let attributes = draft.attributes.sorted {
            $0.attribute.name.precedesByCodeUnits($1.attribute.name)
        }
        entity.attributes = attributes.map { attribute($0, of: draft.name) }
        for (place, draft) in draft.relationships.enumerated() {
            var relationship = draft.relationship
            let side = InversePairing.Side(entity: number, relationship: place)
            relationship.inverseName = inverses[side]
            if relationship.inverseName != nil {
                relationship.inverseEntity = relationship.destinationEntity
            }
            entity.relationships.append(relationship)
        }
        entity.relationships.sort { $0.name.precedesByCodeUnits($1.name) }
        return entity
    }

    private mutating func attribute(
        _ draft: EntityDraft.AttributeDraft,
        of entity: String
    ) -> Attribute {
        var attribute = draft.attribute
        guard case .composite(let elements, _, _) = draft.form else { return attribute }
        let parts = elements.map { element in
            Attribute(
                name: element.name,
                type: element.type,
                isOptional: element.isOptional,
                valueTransformerName: element.className == nil ? nil : "NSSecureUnarchiveFromData",
                customClassName: element.className,
                source: element.place.map { index.mark($0) } ?? attribute.source
            )
        }
        attribute.compositeName = compositeName(parts, "\(entity)_\(attribute.name)", attribute)
        return attribute
    }

    /// Returns the name of the type with these elements; equal ones are one type, as when reading compiled models.
    private mutating func compositeName(
        _ parts: [Attribute],
        _ base: String,
        _ attribute: Attribute
    ) -> String {
        if let known = names[parts] { return known }
        var name = base
        var number = 2
        while !takenNames.insert(name).inserted {
            name = "\(base)_\(number)"
            number += 1
        }
        names[parts] = name
        composites.append(CompositeType(name: name, attributes: parts, source: attribute.source))
        return name
    }
}

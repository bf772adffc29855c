/// A model with its entities by name and its hierarchy resolved.
///
/// Safe on broken models: an unknown parent counts as none, a cycle of parents is cut where it closes, and a hierarchy
/// below `depthLimit`. When two entities share a name, the first one counts.
package struct ModelGraph: Sendable {
    package let model: ManagedObjectModel
    private let indexes: [String: Int]
    private let parents: [Int?]
    private let childNames: [String: [String]]
    private let compositesByName: [String: CompositeType]
    /// Name index for entities with many properties, with the indices of the relationships among these.
    private let relationshipPlaces: [Int: [String: Int?]]

    package init(_ model: ManagedObjectModel) {
        self.model = model
        // By index: copying an entity out of the array costs more than all the rest here.
        var indexes: [String: Int] = [:]
        var childNames: [String: [String]] = [:]
        indexes.reserveCapacity(model.entities.count)
        for index in model.entities.indices {
            let name = model.entities[index].name
            if indexes[name] == nil { indexes[name] = index }
            if let parent = model.entities[index].parentEntity {
                childNames[parent, default: []].append(name)
            }
        }
        self.indexes = indexes
        parents = model.entities.indices.map { index in
            model.entities[index].parentEntity.flatMap { indexes[$0] }
        }
        self.childNames = childNames
        compositesByName = Dictionary(firstOf: model.composites.map { ($0.name, $0) })
        relationshipPlaces = Self.relationshipPlaces(of: model.entities)
    }

    private static func relationshipPlaces(of entities: [Entity]) -> [Int: [String: Int?]] {
        var all: [Int: [String: Int?]] = [:]
        for index in entities.indices where entities[index].relationships.count > 32 {
            // The first property of a name counts, as in `Entity.property`.
            var places: [String: Int?] = [:]
            for attribute in entities[index].attributes {
                places.updateValue(nil, forKey: attribute.name)
            }
            for (place, relationship) in entities[index].relationships.enumerated()
            where places[relationship.name] == nil {
                places.updateValue(place, forKey: relationship.name)
            }
            for property in entities[index].fetchedProperties where places[property.name] == nil {
                places.updateValue(nil, forKey: property.name)
            }
            all[index] = places
        }
        return all
    }

    package func entity(_ name: String) -> Entity? { indexes[name].map { model.entities[$0] } }

    package func composite(_ name: String) -> CompositeType? { compositesByName[name] }

    package func parent(of entity: Entity) -> Entity? { entity.parentEntity.flatMap(self.entity) }

    /// The most levels that a hierarchy may have; the loader refuses a deeper one.
    ///
    /// Entities inherit from all levels above, so the work on a chain of parents would grow as the square of its
    /// length. No real model comes near.
    package static let depthLimit = 64

    /// Returns the entity, its parent, and so on up to the root.
    package func lineage(of entity: Entity) -> [Entity] {
        [entity] + ancestorPlaces(of: entity).map { model.entities[$0] }
    }

    /// Returns the indices of the ancestors of an entity in the model, its parent first.
    package func ancestorPlaces(of entity: Entity) -> [Int] {
        var places: [Int] = []
        var next = entity.parentEntity.flatMap { indexes[$0] }
        while let place = next, places.count < Self.depthLimit - 1, !places.contains(place),
            model.entities[place].name != entity.name
        {
            places.append(place)
            next = parents[place]
        }
        return places
    }

    package func parentPlace(of place: Int) -> Int? { parents[place] }

    /// Returns the topmost ancestor of an entity, or the entity itself if it has no parent.
    package func root(of entity: Entity) -> Entity { lineage(of: entity).last ?? entity }

    /// Returns the direct sub-entities, in source order.
    package func subentities(of entity: Entity) -> [Entity] {
        (childNames[entity.name] ?? []).compactMap(self.entity)
    }

    /// Returns the names of the direct sub-entities, in source order.
    package func subentityNames(of name: String) -> [String] { childNames[name] ?? [] }

    /// Returns the entity and everything below it, each entity before its sub-entities.
    package func hierarchy(of entity: Entity) -> [Entity] {
        var result: [Entity] = []
        var seen: Set<String> = []
        var open = [entity]
        while let next = open.popLast() {
            guard seen.insert(next.name).inserted else { continue }
            result.append(next)
            open.append(contentsOf: subentities(of: next).reversed())
        }
        return result
    }

    package func isEntity(_ entity: Entity, kindOf other: Entity) -> Bool {
        entity.name == other.name
            || ancestorPlaces(of: entity).contains { model.entities[$0].name == other.name }
    }

    package func attributes(of entity: Entity) -> [Attribute] {
        lineage(of: entity).reversed().flatMap(\.attributes)
    }

    package func relationships(of entity: Entity) -> [Relationship] {
        lineage(of: entity).reversed().flatMap(\.relationships)
    }

    package func properties(of entity: Entity) -> [any Property] {
        lineage(of: entity).reversed().flatMap(\.properties)
    }

    /// Finds a property by name in an entity or its parents, with the entity that declares it.
    package func property(_ name: String, of entity: Entity) -> (any Property, declaredBy: Entity)?
    {
        if let property = entity.property(name) { return (property, entity) }
        for place in ancestorPlaces(of: entity) {
            guard let property = model.entities[place].property(name) else { continue }
            return (property, model.entities[place])
        }
        return nil
    }

    package func relationship(
        _ name: String,
        of entity: Entity
    ) -> (Relationship, declaredBy: Entity)? {
        if let index = entity.relationships.indices.first(where: {
            entity.relationships[$0].name == name
        }) {
            let isHidden = entity.attributes.indices.contains { entity.attributes[$0].name == name }
            return isHidden ? nil : (entity.relationships[index], entity)
        }
        guard entity.property(name) == nil, let parent = entity.parentEntity,
            let place = relationshipPlace(name, ofEntity: parent)
        else { return nil }
        let owner = model.entities[place.entity]
        return (owner.relationships[place.relationship], owner)
    }

    package struct RelationshipPlace {
        package var entity: Int
        package var relationship: Int
    }

    /// Finds a relationship by its name and that of its entity, or one below.
    private func relationshipPlace(_ name: String, ofEntity entity: String) -> RelationshipPlace? {
        let entities = model.entities
        var next = indexes[entity]
        // A cycle of parents ends here.
        for _ in 0..<Self.depthLimit {
            guard let index = next else { return nil }
            if let places = relationshipPlaces[index] {
                if let place = places[name] {
                    return place.map { RelationshipPlace(entity: index, relationship: $0) }
                }
                next = parents[index]
                continue
            }
            let relationships = entities[index].relationships
            let attributes = entities[index].attributes
            // The first property of this name counts, as in `property`.
            if attributes.indices.contains(where: { attributes[$0].name == name }) { return nil }
            if let place = relationships.indices.first(where: { relationships[$0].name == name }) {
                return RelationshipPlace(entity: index, relationship: place)
            }
            guard !entities[index].fetchedProperties.contains(where: { $0.name == name }) else {
                return nil
            }
            next = parents[index]
        }
        return nil
    }

    package func hasEntity(_ name: String) -> Bool { indexes[name] != nil }

    package func relationship(_ name: String, ofEntity entityName: String) -> Relationship? {
        entity(entityName).flatMap { relationship(name, of: $0)?.0 }
    }

    package func destination(of relationship: Relationship) -> Entity? {
        relationship.destinationEntity.flatMap(entity)
    }

    package func inverse(of relationship: Relationship) -> (Relationship, declaredBy: Entity)? {
        inversePlace(of: relationship).map { place in
            let owner = model.entities[place.entity]
            return (owner.relationships[place.relationship], owner)
        }
    }

    package func inversePlace(of relationship: Relationship) -> RelationshipPlace? {
        guard let name = relationship.inverseName else { return nil }
        return (relationship.inverseEntity ?? relationship.destinationEntity).flatMap {
            relationshipPlace(name, ofEntity: $0)
        } ?? relationship.destinationEntity.flatMap { relationshipPlace(name, ofEntity: $0) }
    }

    /// Whether a relationship of an entity is its own inverse, as `friends` of people may be.
    package func isOwnInverse(_ relationship: Relationship, ofEntity owner: String) -> Bool {
        guard relationship.inverseName == relationship.name, relationship.destinationEntity == owner
        else { return false }
        return inversePlace(of: relationship).map { model.entities[$0.entity].name == owner }
            ?? true
    }

    /// The most values that one composite attribute may have; a model that nests more is refused.
    package static let leafLimit = 10_000

    /// The most levels of nested composite types; real ones nest once, if at all.
    package static let compositeDepthLimit = 16

    /// Returns the elements of a composite attribute that hold values, nested composites resolved.
    ///
    /// Each comes with its path below the attribute. Unknown composite types give nothing, a recursive type is cut
    /// where the cycle closes, and no more than `leafLimit` elements are returned.
    package func leaves(of attribute: Attribute) -> [(path: [String], attribute: Attribute)] {
        var leaves: [(path: [String], attribute: Attribute)] = []
        collectLeaves(of: attribute, path: [], open: [], into: &leaves)
        return leaves
    }

    /// Returns what holds the values of an attribute: the leaves of a composite one, otherwise itself.
    package func values(of attribute: Attribute) -> [(path: [String], attribute: Attribute)] {
        attribute.type == .composite ? leaves(of: attribute) : [([], attribute)]
    }

    /// Finds the attribute that holds a value: one of an entity, own or inherited, or an element at `path` below a
    /// composite one.
    package func leaf(_ name: String, at path: [String], of entity: Entity) -> Attribute? {
        let attribute = property(name, of: entity)?.0 as? Attribute
        guard let attribute, !path.isEmpty else { return attribute }
        return leaves(of: attribute).first { $0.path == path }?.attribute
    }

    private func collectLeaves(
        of attribute: Attribute,
        path: [String],
        open: Set<String>,
        into leaves: inout [(path: [String], attribute: Attribute)]
    ) {
        guard let name = attribute.compositeName, let type = composite(name), !open.contains(name),
            open.count < Self.compositeDepthLimit
        else { return }
        for (name, element) in type.namedElements where leaves.count < Self.leafLimit {
            let path = path + [name]
            if element.type == .composite {
                collectLeaves(of: element, path: path, open: open.union([type.name]), into: &leaves)
            } else {
                leaves.append((path, element))
            }
        }
    }
}

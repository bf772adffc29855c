/// A property of a model, by the entity that declares it and its name.
package struct PropertyReference: Sendable, Hashable, Comparable {
    package var entity: String
    package var name: String

    package init(entity: String, name: String) { (self.entity, self.name) = (entity, name) }

    package static func < (left: PropertyReference, right: PropertyReference) -> Bool {
        (left.entity, left.name) < (right.entity, right.name)
    }
}

extension PropertyReference: CustomStringConvertible {
    /// The property as `Person.name`.
    package var description: String { "\(entity).\(name)" }
}

extension ModelGraph {
    package typealias StoredRelationship = (
        reference: PropertyReference, relationship: Relationship
    )

    package var storedRelationships: [StoredRelationship] {
        storedRelationships(of: model.entities)
    }

    /// The relationships that entities declare and that are stored.
    package func storedRelationships(of entities: [Entity]) -> [StoredRelationship] {
        entities.flatMap { entity in
            entity.relationships.filter { !$0.isTransient }.map {
                (PropertyReference(entity: entity.name, name: $0.name), $0)
            }
        }
    }

    package func relationship(_ reference: PropertyReference) -> Relationship? {
        relationship(reference.name, ofEntity: reference.entity)
    }

    package func inverse(of reference: PropertyReference) -> PropertyReference? {
        guard let entity = entity(reference.entity),
            let relationship = relationship(reference.name, of: entity)?.0,
            let (inverse, owner) = inverse(of: relationship)
        else { return nil }
        return PropertyReference(entity: owner.name, name: inverse.name)
    }
}

import Diagnostics
package import ObjectModel

/// Refuses names other than many-to-many relationships between an entity and itself, such as `Person.friends`.
package func requireSelfJoins(
    _ names: [String],
    in models: [ManagedObjectModel]
) throws(MomtoolError) {
    for name in names where !models.contains(where: { $0.hasSelfJoin(name) }) {
        throw MomtoolError(
            .usage,
            saying: "'\(name)' is not a many-to-many relationship of an entity with itself",
            "unknown-relationship"
        )
    }
}

extension ManagedObjectModel {
    fileprivate func hasSelfJoin(_ name: String) -> Bool {
        let graph = ModelGraph(self)
        return entities.contains { entity in
            entity.relationships.contains { relationship in
                guard "\(entity.name).\(relationship.name)" == name, relationship.isToMany,
                    let (inverse, owner) = graph.inverse(of: relationship)
                else { return false }
                return inverse.isToMany && owner.name == entity.name
            }
        }
    }
}

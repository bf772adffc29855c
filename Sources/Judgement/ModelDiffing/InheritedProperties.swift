package import ObjectModel

/// All properties of a model's entities, including inherited ones, computed once.
///
/// Walking up from each entity repeatedly costs the square of the depth; this walks down once. Entities whose parents
/// form a cycle have only their own declarations: the loader has reported them.
package struct InheritedProperties: Sendable {
    /// The properties of one entity, inherited ones first; the nearest of two declarations of a name counts.
    package struct Lists: Sendable {
        package var attributes: [DeclaredProperty<Attribute>] = []
        package var relationships: [DeclaredProperty<Relationship>] = []
        package var fetchedProperties: [DeclaredProperty<FetchedProperty>] = []
        package var constraints: [(constraint: UniquenessConstraint, declaredBy: String)] = []
        package var root: String
    }

    /// The limit of the entities' properties in all, each inherited one counted again.
    ///
    /// Models of some thousand lines can be made to have billions of them; real ones stay below 100,000.
    package static let limit = 500_000

    package private(set) var isTruncated = false
    private var lists: [String: Lists] = [:]

    package init(_ graph: ModelGraph) {
        var rest = Self.limit
        for root in graph.model.entities where graph.parent(of: root) == nil {
            for entity in graph.hierarchy(of: root) where lists[entity.name] == nil {
                let parent = graph.parent(of: entity).flatMap { lists[$0.name] }
                let joined = Self.join(entity, parent)
                rest -= joined.attributes.count + joined.relationships.count
                rest -= joined.fetchedProperties.count + joined.constraints.count
                guard rest >= 0 else {
                    isTruncated = true
                    lists = [:]
                    return
                }
                lists[entity.name] = joined
            }
        }
    }

    package func lists(of entity: Entity) -> Lists { lists[entity.name] ?? Self.join(entity, nil) }

    private static func join(_ entity: Entity, _ parent: Lists?) -> Lists {
        var lists = parent ?? Lists(root: entity.name)
        append(entity.attributes, of: entity, to: &lists.attributes)
        append(entity.relationships, of: entity, to: &lists.relationships)
        append(entity.fetchedProperties, of: entity, to: &lists.fetchedProperties)
        lists.constraints += entity.uniquenessConstraints.map { ($0, entity.name) }
        return lists
    }

    private static func append<Value: Property>(
        _ own: [Value],
        of entity: Entity,
        to list: inout [DeclaredProperty<Value>]
    ) {
        guard !own.isEmpty else { return }
        // Most inherit nothing and have no name twice.
        if list.isEmpty, !own.indices.map({ own[$0].name }).holdsDuplicates {
            list = own.indices.map { DeclaredProperty(property: own[$0], declaredBy: entity.name) }
            return
        }
        var places: [String: Int] = [:]
        for (place, inherited) in list.enumerated() { places[inherited.property.name] = place }
        var names: Set<String> = []
        for property in own where names.insert(property.name).inserted {
            let declared = DeclaredProperty(property: property, declaredBy: entity.name)
            if let place = places[property.name] {
                list[place] = declared
            } else {
                list.append(declared)
            }
        }
    }
}

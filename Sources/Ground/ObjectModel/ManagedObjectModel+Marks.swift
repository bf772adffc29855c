extension ManagedObjectModel {
    /// Takes the locations of elements that have the same names in another model; a compiled model has none of its own.
    package mutating func copySourceMarks(of other: ManagedObjectModel) {
        for entity in entities.indices {
            guard let own = other.entities.first(where: { $0.name == entities[entity].name })
            else { continue }
            entities[entity].source = own.source
            entities[entity].attributes.copySourceMarks(from: own.attributes)
            entities[entity].relationships.copySourceMarks(from: own.relationships)
        }
    }
}

extension Array where Element: Property {
    fileprivate mutating func copySourceMarks(from others: [Element]) {
        for place in indices {
            guard let own = others.first(where: { $0.name == self[place].name }) else { continue }
            self[place].source = own.source
        }
    }
}

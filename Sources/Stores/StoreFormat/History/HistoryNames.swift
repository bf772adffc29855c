package import ObjectModel

/// What the numbers in a store's history stand for, as far as the store or its model says.
package struct HistoryNames: Sendable {
    /// An attribute whose value is kept when an object is deleted.
    package struct KeptAttribute: Sendable, Hashable {
        /// The name.
        package var name: String
        /// Whether it is a date.
        package var isDate: Bool
    }

    private let names: [Int64: String]
    private let parents: [Int64: Int64]
    private let entities: [String: (kept: [KeptAttribute], stored: [String])]

    /// Learns the names.
    ///
    /// An entity that a migration renamed has its old name in `Z_PRIMARYKEY`: then the model's name for the number
    /// counts.
    ///
    /// - Parameters:
    ///   - rows: the rows of `Z_PRIMARYKEY`.
    ///   - model: the model of the store; `nil` when there is none.
    package init(_ rows: [PrimaryKeyRow], model: ManagedObjectModel?) {
        let numbered = model.map(NumberedModel.init)
        var names: [Int64: String] = [:]
        for entity in numbered?.entities ?? [] { names[Int64(entity.number)] = entity.name }
        for row in rows where names[row.number] == nil || numbered?.positions[row.name] != nil {
            names[row.number] = row.name
        }
        self.names = names
        parents = Dictionary(
            rows.map { ($0.number, $0.superNumber) },
            uniquingKeysWith: { first, _ in first }
        )
        var entities: [String: (kept: [KeptAttribute], stored: [String])] = [:]
        if let numbered {
            for (position, entity) in numbered.entities.enumerated() {
                let attributes = numbered.lineage(of: position)
                    .flatMap { numbered.definitions[$0].entity.attributes }
                let kept = attributes.filter(\.preservesValueInHistoryOnDeletion)
                    .map { KeptAttribute(name: $0.name, isDate: $0.type == .date) }
                entities[entity.name] = (kept, numbered.persistentNames(of: position))
            }
        }
        self.entities = entities
    }

    /// The names of all entities, in order.
    package var all: [String] { Set(names.values).sorted() }

    /// The name of an entity; `nil` for an unknown number.
    package func entity(_ number: Int64) -> String? { names[number] }

    /// The numbers of an entity and its sub-entities; `nil` when there is no such entity.
    package func numbers(of entity: String) -> Set<Int64>? {
        var found = Set(names.filter { $0.value == entity }.keys)
        guard !found.isEmpty else { return nil }
        var open = Array(found)
        while let parent = open.popLast() {
            for (number, above) in parents where above == parent && found.insert(number).inserted {
                open.append(number)
            }
        }
        return found
    }

    /// The attributes whose values an entity keeps on deletion, by name; `nil` without a model.
    ///
    /// With one the value is its; which of several columns each has is not documented.
    package func keptAttributes(of number: Int64) -> [KeptAttribute]? {
        names[number].flatMap { entities[$0]?.kept.sorted { $0.name < $1.name } }
    }

    /// The one stored property of an entity that has no other, which each update must be of.
    package func onlyProperty(of number: Int64) -> String? {
        guard let stored = names[number].flatMap({ entities[$0]?.stored }), stored.count == 1 else {
            return nil
        }
        return stored[0]
    }
}

import ObjectModel

/// A model as a store sees it: its entities numbered, with only what is stored, in layout order.
struct NumberedModel {
    /// An attribute with a column: one of the entity, or an element of a composite.
    struct Leaf {
        var name: String
        var path: [String]
        var attribute: Attribute
        /// The cases of its enum type, where they are known.
        var cases: [EnumCases.Case]?
        /// The elements of which Swift needs one, at the first of them.
        var required: [String]?
    }

    /// A relationship, with the position of the entity that declares it.
    struct Place {
        var position: Int
        var relationship: Relationship
    }

    /// An entity with what it stores, sorted by name.
    struct Definition {
        var entity: Entity
        var leaves: [Leaf]
        var relationships: [Relationship]
    }

    let graph: ModelGraph
    /// The entities; that with number n is at n - 1.
    let entities: [NumberedEntity]
    /// What they store, in the same order.
    let definitions: [Definition]
    let positions: [String: Int]
    let hasSubentities: [Bool]
    /// The positions of the entities in alphabetical order, regardless of case and hierarchy.
    let alphabetical: [Int]
    private let declarations: DeclarationIndex
    private let relationships: [PropertyReference: Relationship]

    init(_ graph: ModelGraph) {
        self.graph = graph
        var walk = HierarchyWalk(graph.model)
        walk.number()
        let parents = walk.parents
        entities = walk.entities
        positions = walk.positions
        alphabetical = walk.alphabetical
        var hasSubentities = [Bool](repeating: false, count: entities.count)
        for parent in parents.compactMap(\.self) { hasSubentities[parent] = true }
        self.hasSubentities = hasSubentities
        var budget = Self.leafLimit
        definitions = walk.order.map { entity in
            Definition(
                entity: entity,
                leaves: storedLeaves(of: entity, graph, &budget),
                relationships: storedRelationships(of: entity)
            )
        }
        var declarations = DeclarationIndex(superNumbers: entities.map(\.superNumber))
        for (position, definition) in definitions.enumerated() {
            for relationship in definition.relationships {
                declarations.add(relationship.name, at: position)
            }
        }
        self.declarations = declarations
        relationships = Dictionary(
            firstOf: definitions.flatMap { definition in
                definition.relationships.map {
                    (PropertyReference(entity: definition.entity.name, name: $0.name), $0)
                }
            }
        )
    }

    /// Nested composites can multiply without end; no table can have this many columns.
    private static let leafLimit = 40_000

    /// Where attributes and relationships are declared, transient relationships included.
    var storedDeclarations: DeclarationIndex {
        var declarations = DeclarationIndex(superNumbers: entities.map(\.superNumber))
        for (position, definition) in definitions.enumerated() {
            for leaf in definition.leaves { declarations.add(leaf.name, at: position) }
            for relationship in definition.entity.relationships {
                declarations.add(relationship.name, at: position)
            }
        }
        return declarations
    }

    func parent(of position: Int) -> Int? {
        let number = entities[position].superNumber
        return number > 0 && number <= position ? number - 1 : nil
    }

    func destination(of relationship: Relationship) -> Int? {
        relationship.destinationEntity.flatMap { positions[$0] }
    }

    func inverse(of relationship: Relationship) -> Place? {
        guard let name = relationship.inverseName else { return nil }
        return [relationship.inverseEntity, relationship.destinationEntity].lazy
            .compactMap { $0.flatMap { positions[$0] } }
            .compactMap { place(of: name, in: $0) }
            .first
    }

    /// Returns the stored relationships of an entity and its parents, sorted by name.
    func allRelationships(of position: Int) -> [Relationship] {
        lineage(of: position).flatMap { definitions[$0].relationships }
            .sorted { isOrdered($0.name, before: $1.name) }
    }

    func persistentNames(of position: Int) -> [String] {
        lineage(of: position).flatMap { position in
            let entity = definitions[position].entity
            return entity.attributes.filter { !$0.isTransient }.map(\.name)
                + definitions[position].relationships.map(\.name)
        }
    }

    func lineage(of position: Int) -> [Int] {
        Array(sequence(first: position) { parent(of: $0) }.prefix(ModelGraph.depthLimit))
    }

    func place(of name: String, in position: Int) -> Place? {
        declarations.declarer(of: name, for: position).flatMap { position in
            relationships[PropertyReference(entity: entities[position].name, name: name)]
                .map { Place(position: position, relationship: $0) }
        }
    }
}

/// Whether a property's name comes before another's: literally, by UTF-16 units.
func isOrdered(_ left: String, before right: String) -> Bool {
    left.utf16.lexicographicallyPrecedes(right.utf16)
}

/// Numbers entities: roots by name, whatever the case, each before its sub-entities (SQLiteStores, "Entity numbers").
private struct HierarchyWalk {
    var entities: [NumberedEntity] = []
    var order: [Entity] = []
    var parents: [Int?] = []
    var positions: [String: Int] = [:]
    private let sorted: [Entity]
    private let children: [String: [Entity]]
    private let known: Set<String>

    init(_ model: ManagedObjectModel) {
        sorted = model.entities.map { (key: Array($0.name.lowercased().utf16), entity: $0) }
            .sorted { left, right in
                left.key == right.key
                    ? isOrdered(left.entity.name, before: right.entity.name)
                    : left.key.lexicographicallyPrecedes(right.key)
            }
            .map(\.entity)
        known = Set(sorted.map(\.name))
        children = Dictionary(grouping: sorted) { $0.parentEntity ?? "" }
    }

    /// The positions of the entities by name; of several entities with one name the first counts.
    var alphabetical: [Int] {
        var seen: Set<String> = []
        return sorted.filter { seen.insert($0.name).inserted }.compactMap { positions[$0.name] }
    }

    /// Entities in a cycle of parents have no root; the first of the cycle by name counts as one.
    mutating func number() {
        for entity in sorted where entity.parentEntity.map(known.contains) != true {
            walk(from: entity)
        }
        for entity in sorted { walk(from: entity) }
    }

    private mutating func walk(from root: Entity) {
        var open: [(entity: Entity, parent: Int?)] = [(root, nil)]
        while let (entity, parent) = open.popLast() {
            guard positions[entity.name] == nil else { continue }
            let position = entities.count
            positions[entity.name] = position
            order.append(entity)
            parents.append(parent)
            entities.append(
                NumberedEntity(
                    number: position + 1,
                    name: entity.name,
                    superNumber: parent.map { $0 + 1 } ?? 0,
                    rootName: root.name,
                    isAbstract: entity.isAbstract
                )
            )
            let below = children[entity.name] ?? []
            open.append(contentsOf: below.reversed().map { ($0, position) })
        }
    }
}

private func storedRelationships(of entity: Entity) -> [Relationship] {
    var seen = Set(entity.attributes.map(\.name))
    return entity.relationships
        .filter { !$0.isTransient && seen.insert($0.name).inserted }
        .sorted { isOrdered($0.name, before: $1.name) }
}

/// A composite's elements take its position, in declared order (SQLiteStores, "Composite attributes").
private func storedLeaves(
    of entity: Entity,
    _ graph: ModelGraph,
    _ budget: inout Int
) -> [NumberedModel.Leaf] {
    var seen: Set<String> = []
    var leaves: [NumberedModel.Leaf] = []
    let attributes = entity.attributes.filter { seen.insert($0.name).inserted && !$0.isTransient }
        .sorted { isOrdered($0.name, before: $1.name) }
    for attribute in attributes {
        let first = leaves.count
        appendLeaves(of: attribute, named: attribute.name, path: [], graph, &leaves, &budget)
        guard attribute.type == .composite else { continue }
        let (cases, required) = (attribute.enumCases, attribute.enumCases.required)
        guard !cases.paths.isEmpty || !required.isEmpty else { continue }
        for place in first..<leaves.count {
            leaves[place].cases = cases[leaves[place].path]
            leaves[place].required = required.first { [$0[0]] == leaves[place].path }
        }
    }
    return leaves
}

private func appendLeaves(
    of attribute: Attribute,
    named name: String,
    path: [String],
    _ graph: ModelGraph,
    _ leaves: inout [NumberedModel.Leaf],
    _ budget: inout Int
) {
    guard budget > 0 else { return }
    guard attribute.type == .composite else {
        budget -= 1
        leaves.append(NumberedModel.Leaf(name: name, path: path, attribute: attribute))
        return
    }
    // A type that contains itself would nest for ever.
    guard path.count < ModelGraph.compositeDepthLimit,
        let type = attribute.compositeName.flatMap(graph.composite)
    else { return }
    budget -= 1
    for (key, element) in type.namedElements where !element.isTransient {
        appendLeaves(of: element, named: name, path: path + [key], graph, &leaves, &budget)
    }
}

import Diagnostics
import ModelLanguage
package import ObjectModel
import Synchronization

/// Computes the version hash of every entity of a model, byte for byte as Core Data does.
///
/// The page VersionHashes has the rules, which were found by comparing models with the hashes that Apple's framework
/// wrote into stores and compiled models. In a broken model whose parents form a cycle, or are deeper than
/// `ModelGraph.depthLimit`, the hierarchy is cut; the result is then meaningless, and the loader has reported it.
package func versionHashes(of model: ManagedObjectModel) -> ModelHashes {
    var hasher = EntityHasher(graph: ModelGraph(model), isRecording: false)
    return hasher.modelHashes()
}

/// Computes an entity's version hash and its components from the first byte to the last; `nil` for an unknown one.
package func explainVersionHash(
    of entityName: String,
    in model: ManagedObjectModel
) -> (hash: VersionHash, components: [HashComponent])? {
    var hasher = EntityHasher(graph: ModelGraph(model), isRecording: true)
    guard let entity = hasher.graph.entity(entityName) else { return nil }
    let part = hasher.hash(of: entity)
    return (part.hash, part.components)
}

/// Computes the hash that one stored property, of the entity that declares it, adds to its entity's; `nil` if none.
package func versionHash(
    of property: some Property,
    declaredBy entity: String,
    in model: ManagedObjectModel
) -> VersionHash? {
    var hasher = EntityHasher(graph: ModelGraph(model), isRecording: false)
    return hasher.hash(of: property, declaredBy: entity)?.hash
}

package struct PropertyHash: Sendable, Hashable {
    package var entity: String
    package var property: String
    package var hash: VersionHash
}

/// Computes the hashes of all stored properties, each at the entity that declares it, in source order.
package func propertyHashes(of model: ManagedObjectModel) -> [PropertyHash] {
    var hasher = EntityHasher(graph: ModelGraph(model), isRecording: false)
    return model.entities.flatMap { entity in
        entity.properties.compactMap { property in
            hasher.hash(of: property, declaredBy: entity.name).map {
                PropertyHash(entity: entity.name, property: property.name, hash: $0.hash)
            }
        }
    }
}

/// Earlier results: the parts of properties, and the entities of the previous model.
struct HashMemory {
    struct AttributeKey: Hashable {
        var name: String
        var isOptional: Bool
        var isTransient: Bool
        var modifier: String?
        var type: AttributeType
        var flags: PropertyFlags
    }

    struct RelationshipKey: Hashable {
        var name: String
        var isOptional: Bool
        var isTransient: Bool
        var modifier: String?
        var destination: String?
        var inverse: String?
        var maximum: Int
        var minimum: Int
        var isOrdered: Bool
    }

    var attributes: [AttributeKey: HashedPart] = [:]
    var relationships: [RelationshipKey: HashedPart] = [:]
    var entities: [Entity] = []
    /// The indexes of the last model's entities, and their parts.
    var parts: [String: (place: Int, part: HashedPart)] = [:]
    /// The composite types of the last model, which the hashes of its entities depend on.
    var composites: [CompositeType] = []
}

struct EntityHasher {
    let graph: ModelGraph
    let isRecording: Bool
    var memory = HashMemory()
    private var known: [String: HashedPart] = [:]
    private var knownComposites: [String: HashedPart] = [:]
    private var knownOwn: [String: [OwnPart]] = [:]
    /// What sub-entities inherit from an entity, by its index, as long as memory allows.
    private var knownInherited: [Int: [OwnPart]] = [:]
    private var inheritedAllowance = 200_000
    private var knownAsBefore: [String: Bool] = [:]
    private var open: Set<String> = []

    /// The name of a property, its kind, and its hash unless it is not stored.
    private typealias OwnPart = (name: String, kind: String, part: HashedPart?)

    init(graph: ModelGraph, isRecording: Bool) {
        (self.graph, self.isRecording) = (graph, isRecording)
    }

    /// The hashes of all entities, kept for comparison with the next model.
    mutating func modelHashes() -> ModelHashes {
        HashingCounts.wholeModels.add(1, ordering: .relaxed)
        let entities = graph.model.entities
        if memory.composites != graph.model.composites { memory.parts = [:] }
        var remembered: [String: (place: Int, part: HashedPart)] = [:]
        for index in entities.indices where remembered[entities[index].name] == nil {
            let name = entities[index].name
            recallEntity(at: index)
            remembered[name] = (index, known[name] ?? hash(of: entities[index]))
        }
        memory.entities = entities
        memory.parts = remembered
        memory.composites = graph.model.composites
        return ModelHashes(entities: remembered.mapValues(\.part.hash))
    }

    /// Reuses the hash of an entity that is unchanged since the last model, with all that it inherits.
    private mutating func recallEntity(at place: Int) {
        let name = graph.model.entities[place].name
        guard !memory.parts.isEmpty, known[name] == nil else { return }
        if graph.parentPlace(of: place) != nil {
            for place in graph.ancestorPlaces(of: graph.model.entities[place]).reversed() {
                guard isAsBefore(place) else { return }
            }
        }
        if isAsBefore(place) { known[name] = memory.parts[name]?.part }
    }

    /// Whether an entity declares the same as in the last model; its sub-entities ask again and again.
    private mutating func isAsBefore(_ place: Int) -> Bool {
        let name = graph.model.entities[place].name
        if let answer = knownAsBefore[name] { return answer }
        let before = memory.parts[name]?.place
        let answer = before.map { memory.entities[$0] == graph.model.entities[place] } ?? false
        knownAsBefore[name] = answer
        return answer
    }

    mutating func hash(of entity: Entity) -> HashedPart {
        if let part = known[entity.name] { return part }
        HashingCounts.singleEntities.add(1, ordering: .relaxed)
        open.insert(entity.name)
        var input = HashInput(isRecording: isRecording)
        let parent = graph.parent(of: entity).flatMap { parent in
            let isClear = !open.contains(parent.name) && open.count < ModelGraph.depthLimit
            return isClear ? parent : nil
        }
        input.append(entity.name, as: "name")
        input.append(entity.isAbstract, as: "isAbstract")
        if let parent { input.append(hash(of: parent), as: "parent entity '\(parent.name)'") }
        for (name, kind, part) in propertyHashes(of: entity) {
            guard let part else { continue }
            input.append(part, as: "\(kind) '\(name)'")
        }
        input.append(entity.versionHashModifier ?? "", as: "versionHashModifier")
        let constraints = entity.uniquenessConstraints.map { $0.properties.joined(separator: ".") }
        for constraint in constraints.sorted(by: { $0.precedesByCodeUnits($1) }) {
            input.append(constraint, as: "uniqueness constraint")
        }
        open.remove(entity.name)
        let part = input.finish()
        known[entity.name] = part
        return part
    }

    /// The hashes of the properties, including inherited ones, sorted by name; `nil` for unstored ones.
    ///
    /// Sub-entities reuse the sorted list of their parents.
    private mutating func propertyHashes(of entity: Entity) -> [OwnPart] {
        let ancestors = graph.ancestorPlaces(of: entity)
        let nearest = ancestors.firstIndex { knownInherited[$0] != nil } ?? ancestors.endIndex
        var list = nearest < ancestors.endIndex ? knownInherited[ancestors[nearest]] ?? [] : []
        for place in ancestors[..<nearest].reversed() {
            list = Self.joined(ownPropertyHashes(of: graph.model.entities[place]), list)
            inheritedAllowance -= list.count
            if inheritedAllowance >= 0 { knownInherited[place] = list }
        }
        return Self.joined(ownPropertyHashes(of: entity), list)
    }

    /// Inserts properties into the sorted inherited ones, which they hide; the first of a name counts.
    ///
    /// Static: a method would hold the memory while the hashes are put into it, so that all of it is copied.
    private static func joined(_ own: [OwnPart], _ inherited: [OwnPart]) -> [OwnPart] {
        guard !own.isEmpty else { return inherited }
        let names = own.map(\.name)
        // Indices, because the values are large.
        var places = names.indices.sorted {
            names[$0] == names[$1] ? $0 < $1 : precedes(names[$0], names[$1])
        }
        places = places.enumerated().filter { $0 == 0 || names[places[$0 - 1]] != names[$1] }
            .map(\.element)
        let own = places.map { own[$0] }
        guard !inherited.isEmpty else { return own }
        let taken = Set(names)
        var list: [OwnPart] = []
        list.reserveCapacity(own.count + inherited.count)
        var rest = own[...]
        for property in inherited where !taken.contains(property.name) {
            while let next = rest.first, precedes(next.name, property.name) {
                list.append(next)
                rest.removeFirst()
            }
            list.append(property)
        }
        return list + rest
    }

    /// The hashes of an entity's own properties, `nil` for unstored ones; its children need them too.
    private mutating func ownPropertyHashes(of owner: Entity) -> [OwnPart] {
        if let list = knownOwn[owner.name] { return list }
        var list: [OwnPart] = []
        list.reserveCapacity(owner.attributes.count + owner.relationships.count)
        // By index: attributes are large, and a copy of each is not needed.
        for index in owner.attributes.indices {
            let isStored = !owner.attributes[index].isTransient
            let part = isStored ? attributeHash(owner.attributes[index]) : nil
            list.append((owner.attributes[index].name, "attribute", part))
        }
        for relationship in owner.relationships {
            let part =
                relationship.isTransient ? nil : relationshipHash(relationship, of: owner.name)
            list.append((relationship.name, "relationship", part))
        }
        if !graph.subentityNames(of: owner.name).isEmpty { knownOwn[owner.name] = list }
        return list
    }

    mutating func hash(of property: some Property, declaredBy entity: String) -> HashedPart? {
        guard !property.isTransient else { return nil }
        if let attribute = property as? Attribute { return attributeHash(attribute) }
        return (property as? Relationship).map { relationshipHash($0, of: entity) }
    }

    private mutating func attributeHash(_ attribute: Attribute) -> HashedPart {
        if let derivation = attribute.derivation { return derivationHash(derivation) }
        if attribute.type == .composite { return compositeHash(attribute) }
        let key = HashMemory.AttributeKey(
            name: attribute.name,
            isOptional: attribute.isOptional,
            isTransient: attribute.isTransient,
            modifier: attribute.versionHashModifier,
            type: attribute.type,
            flags: attribute.flags
        )
        if let part = memory.attributes[key] { return part }
        let part = plainHash(attribute)
        memory.attributes[key] = part
        return part
    }

    private func plainHash(_ attribute: Attribute) -> HashedPart {
        var input = HashInput(isRecording: isRecording)
        input.append(commonPart(of: attribute), as: "name and flags")
        input.append(attribute.type.rawValue, as: "attributeType")
        for flag in PropertyFlag.hashed where attribute.flags[flag] {
            input.append(true, as: flag.row.sourceName)
        }
        return input.finish()
    }

    private func derivationHash(_ derivation: Attribute.Derivation) -> HashedPart {
        var input = HashInput(isRecording: isRecording)
        let parsed = try? PredicateExpression(parsing: derivation.expression)
        let text = parsed?.withCollectionFunctions.description ?? derivation.expression
        input.append(text, as: "derivationExpression")
        return input.finish()
    }

    /// The hash of a composite attribute is that of its type, wherever the type is used.
    private mutating func compositeHash(_ attribute: Attribute) -> HashedPart {
        let name = attribute.compositeName ?? ""
        if let part = knownComposites[name] { return part }
        var input = HashInput(isRecording: isRecording)
        // Represents the type inside itself: cuts the cycle of a broken model.
        knownComposites[name] = input.finish()
        let elements = graph.composite(name)?.attributes ?? []
        for element in elements.sorted(by: { precedes($0.name, $1.name) }) {
            input.append(attributeHash(element), as: "element '\(element.name)'")
        }
        let part = input.finish()
        knownComposites[name] = part
        return part
    }

    /// A relationship that is its own inverse hashes as if it had none, an absent count as the compiled one.
    private mutating func relationshipHash(
        _ relationship: Relationship,
        of owner: String
    ) -> HashedPart {
        let isOwnInverse = graph.isOwnInverse(relationship, ofEntity: owner)
        let key = HashMemory.RelationshipKey(
            name: relationship.name,
            isOptional: relationship.isOptional,
            isTransient: relationship.isTransient,
            modifier: relationship.versionHashModifier,
            destination: relationship.destinationEntity,
            inverse: isOwnInverse ? nil : relationship.inverseName,
            maximum: relationship.compiledMaxCount,
            minimum: relationship.compiledMinCount,
            isOrdered: relationship.isOrdered
        )
        if let part = memory.relationships[key] { return part }
        let part = plainHash(relationship, isOwnInverse: isOwnInverse)
        memory.relationships[key] = part
        return part
    }

    private func plainHash(_ relationship: Relationship, isOwnInverse: Bool) -> HashedPart {
        var input = HashInput(isRecording: isRecording)
        input.append(commonPart(of: relationship), as: "name and flags")
        input.append(relationship.destinationEntity ?? "", as: "destination entity")
        if !isOwnInverse { input.append(relationship.inverseName ?? "", as: "inverse") }
        input.append(relationship.compiledMaxCount, as: "maxCount")
        input.append(relationship.compiledMinCount, as: "minCount")
        if relationship.isOrdered { input.append([1, 0], as: "isOrdered") }
        return input.finish()
    }

    private func commonPart(of property: some Property) -> HashedPart {
        var input = HashInput(isRecording: isRecording)
        input.append(property.name, as: "name")
        input.append(property.isOptional, as: "isOptional")
        input.append(property.isTransient, as: "isTransient")
        input.append(property.versionHashModifier ?? "", as: "versionHashModifier")
        return input.finish()
    }
}

/// Orders names as Core Data does, by UTF-16 code units.
private func precedes(_ left: String, _ right: String) -> Bool { left.precedesByCodeUnits(right) }

import ModelHashing
import ObjectModel

@testable import ModelRebuilding

/// What is proven and right of rebuilt models, and why the rest is not proven, by kind.
struct RebuildingFigures {
    /// Why an entity is not proven: the first that applies.
    enum Obstacle: String, CaseIterable {
        case backName = "the name of a to-many relationship without a column"
        case inverse = "the name of the inverse of a relationship with a column"
        case spelling = "the spelling of a name, or one that differs from its column"
        case destination = "the destination of a relationship"
        case type = "the type of an attribute"
        case owner = "which entity of a hierarchy a property belongs to"
        case modifier = "version hash modifiers and counts"
        case surplus = "a column that no property has"
        case effort = "nothing: all is among the guesses, but not tried"
    }

    var stores = 0
    var entities = 0
    var proven = 0
    var attributes = (count: 0, right: 0)
    var relationships = (count: 0, right: 0)
    var obstacles: [Obstacle: Int] = [:]

    /// The figures as a table of Markdown.
    var table: String {
        func row(_ what: String, _ count: Int, of all: Int) -> String {
            "| \(what) | \(count) of \(all) | \(all > 0 ? 100 * count / all : 0) % |\n"
        }
        var text = "| of \(stores) stores | count | share |\n| --- | ---: | ---: |\n"
        text += row("entities that are proven", proven, of: entities)
        text += row("attributes that are right", attributes.right, of: attributes.count)
        text += row("relationships that are right", relationships.right, of: relationships.count)
        for obstacle in Obstacle.allCases {
            let count = obstacles[obstacle] ?? 0
            if count > 0 { text += row("not proven: \(obstacle.rawValue)", count, of: entities) }
        }
        return text
    }

    /// Adds a store whose real model is known.
    mutating func add(
        _ rebuilding: ModelRebuilding,
        _ rebuilt: RebuiltModel,
        _ real: ManagedObjectModel
    ) {
        stores += 1
        let proven = Set(rebuilt.provenEntities)
        for entity in real.entities {
            entities += 1
            let other = rebuilt.model.entities.first { $0.name == entity.name }
            count(entity, other)
            guard !proven.contains(entity.name) else {
                self.proven += 1
                continue
            }
            let found = obstacle(of: entity, rebuilding, real)
            obstacles[found, default: 0] += 1
        }
    }

    private mutating func count(_ entity: Entity, _ rebuilt: Entity?) {
        for attribute in entity.attributes where !attribute.isTransient {
            attributes.count += 1
            let isRight = rebuilt?.attributes.contains {
                $0.name == attribute.name && $0.type == attribute.type
                    && $0.isOptional == attribute.isOptional
            }
            attributes.right += isRight == true ? 1 : 0
        }
        for relationship in entity.relationships where !relationship.isTransient {
            relationships.count += 1
            let isRight = rebuilt?.relationships.contains {
                $0.name == relationship.name && $0.isToMany == relationship.isToMany
                    && $0.destinationEntity == relationship.destinationEntity
                    && $0.inverseName == relationship.inverseName
                    && $0.isOptional == relationship.isOptional
            }
            relationships.right += isRight == true ? 1 : 0
        }
    }

    private func obstacle(
        of entity: Entity,
        _ rebuilding: ModelRebuilding,
        _ real: ManagedObjectModel
    ) -> Obstacle {
        var found: Set<Obstacle> = entity.versionHashModifier == nil ? [] : [.modifier]
        let graph = ModelGraph(real)
        var hashes: Set<[UInt8]> = []
        for owner in graph.lineage(of: entity) {
            for property in owner.properties where !property.isTransient {
                guard !(property is FetchedProperty),
                    let hash = versionHash(of: property, declaredBy: owner.name, in: real)?.bytes
                else { continue }
                hashes.insert(hash)
                let lineage = rebuilding.evidence.lineage(of: entity.name)
                let holders = rebuilding.drafts.filter { $0.guesses.contains { $0.hash == hash } }
                guard !holders.contains(where: { lineage.contains($0.owner) }) else { continue }
                let kind = holders.isEmpty ? kind(of: property, rebuilding) : .owner
                found.insert(kind)
            }
        }
        let hasSurplus = rebuilding.drafts.contains { draft in
            rebuilding.evidence.lineage(of: entity.name).contains(draft.owner)
                && !draft.guesses.contains { $0.name == nil || hashes.contains($0.hash) }
        }
        if found.isEmpty, hasSurplus { return .surplus }
        return Obstacle.allCases.first(where: found.contains) ?? .effort
    }

    private func kind(of property: any Property, _ rebuilding: ModelRebuilding) -> Obstacle {
        let named = rebuilding.drafts.flatMap(\.guesses).filter { $0.name == property.name }
        guard let relationship = property as? Relationship else {
            guard !named.isEmpty else { return .spelling }
            let type = (property as? Attribute)?.type
            return named.contains { guess in
                if case .attribute(let attribute) = guess.form {
                    attribute.type == type
                } else {
                    false
                }
            } ? .modifier : .type
        }
        guard !named.isEmpty else { return relationship.isToMany ? .backName : .spelling }
        let guesses = named.compactMap(\.relationship)
        if !guesses.contains(where: { $0.destinationEntity == relationship.destinationEntity }) {
            return .destination
        }
        return guesses.contains { $0.inverseName == relationship.inverseName }
            ? .modifier : .inverse
    }
}

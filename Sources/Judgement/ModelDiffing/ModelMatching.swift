import Diagnostics
import Essentials
import ModelHashing
package import ObjectModel

/// Matches the entities and properties of two versions that continue each other.
///
/// Both sides are matched by renaming identifier, which is the name where none is set (MigrationBehaviour, "Matching
/// old and new"). Properties are matched over all that an entity has, including inherited ones, so that a property that
/// moved up or down the hierarchy is still the same property.
package struct ModelMatching: Sendable {
    package let from: ModelGraph
    package let to: ModelGraph
    /// By the name of the new entity.
    package let entityPairs: [EntityPair]
    package let addedEntities: [Entity]
    package let removedEntities: [Entity]
    package let entityConflicts: [MatchConflict]
    package let oldProperties: InheritedProperties
    package let newProperties: InheritedProperties
    let versions: (from: ModelVersion, to: ModelVersion)
    let renamesRelationships: Bool
    private let known = MatchedProperties()
    private let destinationNames: [String: String]
    private let sourceNames: [String: String]

    package init(from: ManagedObjectModel, to: ManagedObjectModel) {
        self.init(from: ModelVersion(model: from), to: ModelVersion(model: to))
    }

    package init(from: ModelVersion, to: ModelVersion) {
        versions = (from, to)
        let (before, after) = (MatchedModel.of(from), MatchedModel.of(to))
        (self.from, self.to) = (before.graph, after.graph)
        (oldProperties, newProperties) = (before.properties, after.properties)
        let old = firstByName(from.model.entities)
        let new = firstByName(to.model.entities)
        let matching = entityMatching(old, new, from, to)
        var pairs: [EntityPair] = []
        var added: [Entity] = []
        for (entity, index) in zip(new, matching.sourceIndexes) {
            if let index {
                pairs.append(EntityPair(from: old[index], to: entity))
            } else {
                added.append(entity)
            }
        }
        renamesRelationships = (old + new).contains { entity in
            entity.relationships.contains { $0.matchingIdentifier != $0.name }
        }
        entityPairs = pairs.sorted { $0.to.name < $1.to.name }
        addedEntities = added.sorted { $0.name < $1.name }
        removedEntities = matching.unmatchedSources.map { old[$0] }.sorted { $0.name < $1.name }
        destinationNames = Dictionary(firstOf: pairs.map { ($0.from.name, $0.to.name) })
        sourceNames = Dictionary(firstOf: pairs.map { ($0.to.name, $0.from.name) })
        entityConflicts = matching.conflicts.map { side, identifier, indexes in
            let claimants = indexes.map { side == .from ? old[$0] : new[$0] }
            return MatchConflict(
                kind: .entity,
                side: side,
                entity: nil,
                identifier: identifier,
                claimants: claimants.map(\.name),
                sources: claimants.map(\.source)
            )
        }
    }

    /// Whether a version has more properties than are compared, so that inherited ones are left out.
    package var isTruncated: Bool { oldProperties.isTruncated || newProperties.isTruncated }

    package func destinationName(ofSource name: String) -> String? { destinationNames[name] }

    package func sourceName(ofDestination name: String) -> String? { sourceNames[name] }

    package func isSameEntity(_ source: String?, _ destination: String?) -> Bool {
        guard let source, let destination else { return source == destination }
        return destinationNames[source] == destination
    }

    package func attributes(of pair: EntityPair) -> PropertyMatching<Attribute> {
        MatchedProperties.recall(known.attributes, pair) {
            PropertyMatching(
                oldProperties.lists(of: pair.from).attributes,
                newProperties.lists(of: pair.to).attributes,
                kind: .attribute,
                claims(pair)
            )
        }
    }

    package func relationships(of pair: EntityPair) -> PropertyMatching<Relationship> {
        MatchedProperties.recall(known.relationships, pair) {
            PropertyMatching(
                oldProperties.lists(of: pair.from).relationships,
                newProperties.lists(of: pair.to).relationships,
                kind: .relationship,
                claims(pair)
            )
        }
    }

    /// Returns the new names of the properties that continue, by their old ones.
    package func newNames(of pair: EntityPair) -> [String: String] {
        let names =
            attributes(of: pair).pairs.map { ($0.from.property.name, $0.to.property.name) }
            + relationships(of: pair).pairs.map { ($0.from.property.name, $0.to.property.name) }
        return Dictionary(names) { $1 }
    }

    /// Returns the relationship of the old version that one of the new version continues.
    package func source(
        of relationship: Relationship,
        declaredBy owner: Entity
    ) -> DeclaredProperty<Relationship>? {
        guard let name = sourceName(ofDestination: owner.name), let old = from.entity(name) else {
            return nil
        }
        return relationships(of: EntityPair(from: old, to: owner)).pairs
            .first { $0.to.property.name == relationship.name }?.from
    }

    package func keepsInverse(_ source: Relationship, _ destination: Relationship) -> Bool {
        guard let new = to.inverse(of: destination),
            let former = self.source(of: new.0, declaredBy: new.declaredBy)
        else { return false }
        return isInverse(former, of: source)
    }

    /// Whether a relationship of the old version is the inverse of another one there.
    package func isInverse(
        _ former: DeclaredProperty<Relationship>,
        of source: Relationship
    ) -> Bool {
        guard let old = from.inverse(of: source) else { return false }
        return former.property.name == old.0.name && former.declaredBy == old.declaredBy.name
    }

    /// Whether nothing that a pair of entities declares differs, as with most entities of most versions.
    ///
    /// Each property then continues itself. `false` for entities with a parent, composite attributes or fetched
    /// properties: they may differ in spite of equal declarations.
    package func isUntouched(_ pair: EntityPair) -> Bool {
        MatchedProperties.recall(known.untouched, pair) {
            let (attributes, relationships) = (pair.from.attributes, pair.from.relationships)
            return pair.from.parentEntity == nil && pair.from.fetchedProperties.isEmpty
                && pair.from == pair.to && !pair.from.propertyNames.holdsDuplicates
                && !attributes.indices.map { attributes[$0].matchingIdentifier }.holdsDuplicates
                && !relationships.indices.map { relationships[$0].matchingIdentifier }
                    .holdsDuplicates
                && !attributes.indices.contains { attributes[$0].type == .composite }
                && relationships.indices.allSatisfy { index in
                    let name = relationships[index].destinationEntity
                    return isSameEntity(name, name)
                }
        }
    }

    /// Whether an unchanged pair of entities has links only to and from unchanged ones, by the same relationships: each
    /// link stays as it is.
    ///
    /// `false` if a destination has sub-entities, which may have been removed.
    package func areLinksUntouched(of pair: EntityPair) -> Bool {
        guard isUntouched(pair) else { return false }
        let relationships = pair.from.relationships
        return relationships.indices.allSatisfy { index in
            guard let name = relationships[index].destinationEntity, let old = from.entity(name),
                let new = to.entity(name), from.subentityNames(of: name).isEmpty
            else { return false }
            let end = relationships[index].inverseEntity
            return (end == nil || end == name) && isUntouched(EntityPair(from: old, to: new))
        }
    }

    package func fetchedProperties(of pair: EntityPair) -> PropertyMatching<FetchedProperty> {
        PropertyMatching(
            oldProperties.lists(of: pair.from).fetchedProperties,
            newProperties.lists(of: pair.to).fetchedProperties,
            kind: .fetchedProperty,
            claims(pair)
        )
    }

    private func claims(_ pair: EntityPair) -> Claims {
        Claims(pair: pair, chosen: versions.from.claimants.union(versions.to.claimants)) {
            let (old, new) = (versions.from.hashes.entities, versions.to.hashes.entities)
            return old[pair.from.name] != nil && old[pair.from.name] == new[pair.to.name]
        }
    }
}

/// The parts of matching that depend on one version only, kept for the run, as most versions are matched with several.
private struct MatchedModel: Sendable {
    let graph: ModelGraph
    let properties: InheritedProperties

    private init(_ model: ManagedObjectModel) {
        graph = ModelGraph(model)
        properties = InheritedProperties(graph)
    }

    static func of(_ version: ModelVersion) -> MatchedModel {
        Surroundings.current.memory.kept(of: [version]) { MatchedModel(version.model) }
    }
}

package struct PropertyMatching<Value: Property>: Sendable {
    package let pairs: [PropertyPair<Value>]
    package let added: [DeclaredProperty<Value>]
    package let removed: [DeclaredProperty<Value>]
    package let conflicts: [MatchConflict]

    init(
        _ old: [DeclaredProperty<Value>],
        _ new: [DeclaredProperty<Value>],
        kind: MatchConflict.Kind,
        _ claims: Claims
    ) {
        let identifiers = claims.matching(old, new)
        var pairs: [PropertyPair<Value>] = []
        var added: [DeclaredProperty<Value>] = []
        for (property, index) in zip(new, identifiers.sourceIndexes) {
            if let index {
                pairs.append(PropertyPair(from: old[index], to: property))
            } else {
                added.append(property)
            }
        }
        (self.pairs, self.added) = (pairs, added)
        removed = identifiers.unmatchedSources.map { old[$0] }
        conflicts = identifiers.conflicts.map { side, identifier, indexes in
            let claimants = indexes.map { side == .from ? old[$0] : new[$0] }
            return MatchConflict(
                kind: kind,
                side: side,
                entity: claimants.last?.declaredBy,
                identifier: identifier,
                claimants: claimants.map { $0.property.name },
                sources: claimants.map { $0.property.source }
            )
        }
    }
}

/// Matched pairs, as comparison, inference and their conflicts all ask for them.
private final class MatchedProperties: Sendable {
    struct Key: Hashable {
        var from: String
        var to: String

        init(_ pair: EntityPair) { (from, to) = (pair.from.name, pair.to.name) }
    }

    let attributes = Locked<[Key: PropertyMatching<Attribute>]>([:])
    let relationships = Locked<[Key: PropertyMatching<Relationship>]>([:])
    let untouched = Locked<[Key: Bool]>([:])

    static func recall<Value: Sendable>(
        _ known: Locked<[Key: Value]>,
        _ pair: EntityPair,
        _ match: () -> Value
    ) -> Value {
        let key = Key(pair)
        if let value = known.withLock({ $0[key] }) { return value }
        let value = match()
        known.withLock { $0[key] = value }
        return value
    }
}

/// Matches entities; where all that share a renaming identifier are in both versions with unchanged hashes, each
/// continues itself.
private func entityMatching(
    _ old: [Entity],
    _ new: [Entity],
    _ from: ModelVersion,
    _ to: ModelVersion
) -> IdentifierMatching {
    var identifiers = (from: old.map(\.matchingIdentifier), to: new.map(\.matchingIdentifier))
    let matching = IdentifierMatching(from: identifiers.from, to: identifiers.to)
    let shared = Set(matching.conflicts.map(\.identifier))
    guard !shared.isEmpty else { return matching }
    let (oldHashes, newHashes) = (from.hashes.entities, to.hashes.entities)
    let chosen = from.claimants.union(to.claimants)
    let claimants = (old + new).filter { shared.contains($0.matchingIdentifier) }
    let changed = claimants.filter {
        oldHashes[$0.name] == nil || oldHashes[$0.name] != newHashes[$0.name]
    }
    let open = Set(changed.map(\.matchingIdentifier))
    /// Whether an entity gives way to another with the same identifier.
    func givesWay(_ entity: Entity, amongst others: [Entity]) -> Bool {
        let (name, identifier) = (entity.name, entity.matchingIdentifier)
        guard shared.contains(identifier) else { return false }
        guard open.contains(identifier) else { return true }
        return !chosen.contains(name)
            && others.contains { $0.matchingIdentifier == identifier && chosen.contains($0.name) }
    }
    for index in old.indices where givesWay(old[index], amongst: old) {
        identifiers.from[index] = ownIdentifier(of: old[index].name)
    }
    for index in new.indices where givesWay(new[index], amongst: new) {
        identifiers.to[index] = ownIdentifier(of: new[index].name)
    }
    return IdentifierMatching(from: identifiers.from, to: identifiers.to)
}

private func firstByName(_ entities: [Entity]) -> [Entity] {
    var names: Set<String> = []
    return entities.filter { names.insert($0.name).inserted }
}

import Essentials
package import MappingInference
package import ObjectModel
package import SQLiteAccess

/// Finds faults in the objects of a migrated store, by the rules of MigrationBehaviour, "What rows get", without SQL;
/// where losses were announced, links may be missing and values may differ.
package func accountingFaults(
    before: StoreDump,
    after: StoreDump,
    mapping: InferredMapping,
    from sourceModel: ManagedObjectModel,
    to destinationModel: ManagedObjectModel,
    losses: [RowRisk] = []
) throws(StoreError) -> [String] {
    let (source, destination) = (ModelGraph(sourceModel), ModelGraph(destinationModel))
    let survivors = Set(
        mapping.entityMappings.filter { $0.destinationEntity != nil }.compactMap(\.sourceEntity)
    )
    var alive: [String: Set<Int64>] = [:]
    for (name, keys) in before.keys where survivors.contains(name) {
        guard let entity = source.entity(name) else { continue }
        alive[source.root(of: entity).name, default: []].formUnion(keys)
    }
    let accounting = Accounting(
        before: before,
        after: after,
        mapping: mapping,
        source: source,
        destination: destination,
        alive: alive,
        lossy: lossyProperties(losses, destination)
    )
    return try accounting.faults()
}

private struct Accounting {
    let before: StoreDump
    let after: StoreDump
    let mapping: InferredMapping
    let source: ModelGraph
    let destination: ModelGraph
    /// The keys of the continued objects, by the root entity of the old version.
    let alive: [String: Set<Int64>]
    let lossy: Set<PropertyReference>

    private typealias ObjectPair = (before: StoreDump, after: StoreDump)

    /// Processes one entity at a time, so that only its objects are in memory.
    func faults() throws(StoreError) -> [String] {
        var faults: [String] = []
        var expected = 0
        for mapping in mapping.entityMappings {
            guard let name = mapping.sourceEntity, let newName = mapping.destinationEntity,
                let keys = before.keys[name], !keys.isEmpty
            else { continue }
            expected += keys.count
            let pair = (before: try before.part(name), after: try after.part(newName))
            for key in keys {
                let (old, new) = (
                    StoreDump.Key(entity: name, key: key), StoreDump.Key(entity: newName, key: key)
                )
                guard pair.after.values[new] != nil else {
                    faults.append("\(name) \(key) is missing")
                    continue
                }
                faults += valueFaults(old, new, mapping, pair)
                faults += linkFaults(old, new, mapping, pair)
            }
        }
        let count = after.keys.values.map(\.count).reduce(0, +)
        if count != expected { faults.append("\(count.counted("object")), not \(expected)") }
        return faults.sorted()
    }

    private func valueFaults(
        _ key: StoreDump.Key,
        _ newKey: StoreDump.Key,
        _ mapping: EntityMapping,
        _ pair: ObjectPair
    ) -> [String] {
        let values = pair.before.values[key] ?? [:]
        let newValues = pair.after.values[newKey] ?? [:]
        var faults: [String] = []
        if values["Z_OPT"] != newValues["Z_OPT"] { faults.append("Z_OPT of \(newKey)") }
        for attribute in mapping.attributeMappings where isStored(attribute, newKey.entity) {
            let name = ([attribute.destination.name] + attribute.elementPath).joined(separator: ".")
            let old = attribute.source.flatMap {
                values[([$0.name] + attribute.sourceElementPath).joined(separator: ".")]
            }
            var value = old ?? .null
            let fill = attribute.source == nil ? attribute.fill : attribute.nullReplacement
            if value == .null, let fill {
                value = stored(fill, isExternal: keepsExternalForm(attribute, newKey.entity))
            }
            let found = newValues[name] ?? .null
            if case .externalStorage(let isAllowed) = attribute.conversion {
                if value != .null, found == .null, !lossy.contains(attribute.destination) {
                    faults.append("\(newKey).\(name)")
                    continue
                }
                // Cases compare the contents of files.
                guard case .blob(let data) = isAllowed ? found : value, data.first == 1 else {
                    continue
                }
                let plain = SQLiteValue.blob(Data(data.dropFirst()))
                if plain != (isAllowed ? value : found) { faults.append("\(newKey).\(name)") }
                continue
            }
            if !isEqual(value, found), !lossy.contains(attribute.destination) {
                faults.append("\(newKey).\(name): \(found), not \(value)")
            }
        }
        return faults
    }

    private func isThere(_ key: Int64, at origin: PropertyReference) -> Bool {
        let target = source.relationship(origin).flatMap { source.destination(of: $0) }
        guard let root = target.map({ source.root(of: $0).name }) else { return false }
        return before.keys.contains { entity, keys in
            source.entity(entity).map { source.root(of: $0).name } == root && keys.contains(key)
        }
    }

    private func linkFaults(
        _ key: StoreDump.Key,
        _ newKey: StoreDump.Key,
        _ mapping: EntityMapping,
        _ pair: ObjectPair
    ) -> [String] {
        let (before, after) = (pair.before, pair.after)
        return mapping.relationshipMappings.compactMap { relationship in
            let name = relationship.destination.name
            guard let origin = relationship.source else { return nil }
            let alive = ends(of: relationship, origin)
            let all = before.links[key]?[origin.name] ?? []
            let old = all.filter(alive.contains)
            // A dangling link of the old store is not a fault of the migration, whether it still exists or not.
            let lost = all.filter { !alive.contains($0) && !isThere($0, at: origin) }
            let new = (after.links[newKey]?[name] ?? []).filter { !lost.contains($0) }
            let isOrdered =
                before.orderedRelationships.contains(origin.description)
                && after.orderedRelationships.contains("\(relationship.destination)")
            let isKept =
                if lossy.contains(relationship.destination) { new.allSatisfy(old.contains) } else {
                    isOrdered ? old == new : Set(old) == Set(new)
                }
            // Where it has the inverse's links too, these are counted there.
            let isRight = isKept || isJoined(origin, relationship.destination)
            return isRight ? nil : "\(newKey).\(name): \(new), not \(old)"
        }
    }

    /// The keys of the continued objects to which a relationship may still lead.
    private func ends(of relationship: RelationshipMapping, _ origin: PropertyReference) -> Set<
        Int64
    > {
        if let entities = relationship.reachableEntities {
            return Set(entities.flatMap { before.keys[$0] ?? [] })
        }
        return source.relationship(origin)
            .flatMap { source.destination(of: $0) }
            .map { alive[source.root(of: $0).name] ?? [] } ?? []
    }

    /// Whether a relationship gets an inverse that was not its own before, or the links of several.
    private func isJoined(_ origin: PropertyReference, _ new: PropertyReference) -> Bool {
        let old = source.relationship(origin)
        let relationship = destination.relationship(new)
        guard let old, let (inverse, owner) = relationship.flatMap({ destination.inverse(of: $0) })
        else { return false }
        guard let (former, formerOwner) = source.inverse(of: old) else { return true }
        let now = PropertyReference(entity: owner.name, name: inverse.name)
        let origins = Set(
            mapping.entityMappings.flatMap(\.relationshipMappings)
                .filter { $0.destination == now }.compactMap(\.source)
        )
        return !origins.isEmpty
            && origins != [PropertyReference(entity: formerOwner.name, name: former.name)]
    }

    /// Whether an attribute's values may be external files, in both versions if it is in both.
    private func keepsExternalForm(_ mapping: AttributeMapping, _ entity: String) -> Bool {
        let leaf = destination.entity(entity).flatMap {
            destination.leaf(mapping.destination.name, at: mapping.elementPath, of: $0)
        }
        return mapping.conversion == .none && leaf?.allowsExternalBinaryDataStorage == true
    }

    /// Derived attributes are computed again, and checked separately.
    private func isStored(_ mapping: AttributeMapping, _ entity: String) -> Bool {
        let attribute = destination.entity(entity).flatMap {
            destination.property(mapping.destination.name, of: $0)?.0 as? Attribute
        }
        return attribute?.derivation == nil
    }
}

/// The properties of the new version that may lose something, including inverses of relationships.
private func lossyProperties(_ losses: [RowRisk], _ graph: ModelGraph) -> Set<PropertyReference> {
    var properties: Set<PropertyReference> = []
    for loss in losses {
        guard let property = loss.destination else { continue }
        switch loss.kind {
        case .toManyBecomesToOne, .sharedDestination, .orderLostInManyToMany, .orderLost,
            .destinationsOutOfReach:
            properties.insert(property)
            let relationship = graph.relationship(property)
            if let (inverse, owner) = relationship.flatMap({ graph.inverse(of: $0) }) {
                properties.insert(PropertyReference(entity: owner.name, name: inverse.name))
            }
        case .narrowingConversion: properties.insert(property)
        default: break
        }
    }
    return properties
}

/// Compares by value: SQLite keeps whole numbers as integers in columns of some types.
private func isEqual(_ left: SQLiteValue, _ right: SQLiteValue) -> Bool {
    switch (left, right) {
    case (.integer(let integer), .real(let real)), (.real(let real), .integer(let integer)):
        Double(integer) == real
    default: left == right
    }
}

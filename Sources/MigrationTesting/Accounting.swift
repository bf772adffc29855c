import Foundation
package import MappingInference
package import ObjectModel
import StoreFormat

/// Says what is wrong with the objects of a migrated store, compared with those that it was made from.
///
/// The rules are those of MIGRATION_BEHAVIOUR section 2, applied object by object and without any SQL.
package func accountingFaults(
    before: StoreDump,
    after: StoreDump,
    mapping: InferredMapping,
    from sourceModel: ManagedObjectModel,
    to destinationModel: ManagedObjectModel
) -> [String] {
    var faults: [String] = []
    let graph = ModelGraph(destinationModel)
    var expected = 0
    let survivors = Set(
        mapping.entityMappings.filter { $0.destinationEntity != nil }
            .compactMap(\.sourceEntity)
    )
    var aliveByRoot: [String: Set<Int64>] = [:]
    let sourceGraph = ModelGraph(sourceModel)
    for key in before.values.keys where survivors.contains(key.entity) {
        guard let entity = sourceGraph.entity(key.entity) else { continue }
        aliveByRoot[sourceGraph.root(of: entity).name, default: []].insert(key.key)
    }
    for mapping in mapping.entityMappings {
        guard let source = mapping.sourceEntity, let destination = mapping.destinationEntity else {
            continue
        }
        for (key, values) in before.values where key.entity == source {
            expected += 1
            let newKey = StoreDump.Key(entity: destination, key: key.key)
            guard let newValues = after.values[newKey], let newLinks = after.links[newKey] else {
                faults.append("\(source) \(key.key) is gone")
                continue
            }
            if values["Z_OPT"] != newValues["Z_OPT"] { faults.append("Z_OPT of \(newKey)") }
            for attribute in mapping.attributeMappings
            where isStored(attribute, in: graph, destination) {
                let name = ([attribute.destination.name] + attribute.elementPath)
                    .joined(separator: ".")
                let old = attribute.source.flatMap {
                    values[([$0.name] + attribute.sourceElementPath).joined(separator: ".")]
                }
                var value = old ?? attribute.fill.map(stored) ?? .null
                if value == .null, let fill = attribute.nullReplacement { value = stored(fill) }
                if !isEqual(value, newValues[name] ?? .null) {
                    faults.append("\(newKey).\(name): \(newValues[name] ?? .null), not \(value)")
                }
            }
            for relationship in mapping.relationshipMappings {
                let name = relationship.destination.name
                guard let origin = relationship.source else { continue }
                let alive =
                    sourceGraph.relationship(origin.name, ofEntity: origin.declaredBy)
                    .flatMap { sourceGraph.destination(of: $0) }
                    .map { aliveByRoot[sourceGraph.root(of: $0).name] ?? [] } ?? []
                let old = (before.links[key]?[origin.name] ?? []).filter(alive.contains)
                let new = newLinks[name] ?? []
                let isOrdered =
                    before.orderedRelationships.contains("\(origin.declaredBy).\(origin.name)")
                    && after.orderedRelationships.contains(
                        "\(relationship.destination.declaredBy).\(name)"
                    )
                if isOrdered ? old != new : old.sorted() != new.sorted() {
                    faults.append("\(newKey).\(name): \(new), not \(old)")
                }
            }
        }
    }
    if after.values.count != expected {
        faults.append("\(after.values.count) objects, not \(expected)")
    }
    return faults.sorted()
}

/// Derived attributes are computed anew, and are looked at apart.
private func isStored(
    _ mapping: AttributeMapping,
    in graph: ModelGraph,
    _ entity: String
) -> Bool {
    let attribute = graph.entity(entity).flatMap {
        graph.property(mapping.destination.name, of: $0)?.0 as? Attribute
    }
    return attribute?.derivation == nil
}

private func stored(_ value: AttributeValue) -> SQLiteValue {
    switch value {
    case .integer(let value): .integer(value)
    case .boolean(let value): .integer(value ? 1 : 0)
    case .double(let value), .date(let value): .real(value)
    case .float(let value): .real(Double(value))
    case .decimal(let value): .real(Double(value.description) ?? 0)
    case .string(let text), .uri(let text): .text(text)
    case .binary(let data): .blob(data)
    case .uuid(let uuid): withUnsafeBytes(of: uuid.uuid) { .blob(.init($0)) }
    }
}

/// Compares by value: SQLite keeps whole numbers as integers in columns of some types.
private func isEqual(_ left: SQLiteValue, _ right: SQLiteValue) -> Bool {
    switch (left, right) {
    case (.integer(let integer), .real(let real)), (.real(let real), .integer(let integer)):
        Double(integer) == real
    default: left == right
    }
}

import MappingInference
import ObjectModel
import RowExchange
import SQLiteAccess
import StoreFormat

/// The steps that compute derived attributes which are new, derived differently than before, or affected by the
/// mapping; and the attributes that cannot be computed here.
///
/// Core Data computes them when an object is saved; existing rows must be computed once.
func derivedValues(
    _ correspondence: EntityCorrespondence,
    _ links: LinkPlan
) -> (steps: [MigrationStep], uncomputed: [UncomputedValue]) {
    var steps: [MigrationStep] = []
    var uncomputed: [UncomputedValue] = []
    var computed: Set<PropertyReference> = []
    let (layout, graph) = (correspondence.destination, correspondence.destinationGraph)
    for attribute in DerivedAttribute.all(in: layout, graph)
    where correspondence.mustCompute(attribute, computed, links) {
        let reference = attribute.reference
        computed.insert(reference)
        do throws(UntranslatablePredicate) {
            let keepsValues = attribute.readsClock && !correspondence.isDerivedAnew(attribute)
            if let change = try attribute.computation(layout, graph, keepsValues: keepsValues) {
                steps.append(.rows(change))
            }
        } catch {
            uncomputed.append(
                UncomputedValue(
                    entity: reference.entity,
                    attribute: reference.name,
                    reason: error.reason
                )
            )
        }
    }
    return (steps, uncomputed)
}

extension DerivedAttribute {
    /// The change that computes the value of every row, unless it `keepsValues`; `nil` if the attribute has no column.
    ///
    /// Throws where SQL cannot express the derivation.
    func computation(
        _ layout: StoreLayout,
        _ graph: ModelGraph,
        keepsValues: Bool = false
    ) throws(UntranslatablePredicate) -> RowChange? {
        guard let (table, column) = cells(in: layout) else { return nil }
        let value = try value(ofRow: "s", layout, graph)
        let own = "s.\(quotedIdentifier(column.name))"
        return .derive(
            reference,
            table: table.name,
            column: column.name,
            value: keepsValues ? "COALESCE(\(own), \(value))" : value,
            numbers: layout.numbers(ofHierarchy: reference.entity)
        )
    }

    /// The change that corrects outdated values; `nil` if there is no column, or SQL cannot express the derivation.
    fileprivate func correction(_ layout: StoreLayout, _ graph: ModelGraph) -> RowChange? {
        guard let (table, column) = cells(in: layout),
            let value = try? value(ofRow: "t", layout, graph)
        else { return nil }
        let own = "t.\(quotedIdentifier(column.name))"
        let numbers = numberList(layout.numbers(ofHierarchy: reference.entity))
        return .write(
            table: table.name,
            column: column.name,
            value: value,
            where: "t.Z_ENT IN (\(numbers)) AND \(own) IS NOT (\(value))",
            what: "compute \(reference) again"
        )
    }
}

/// The changes that recompute derived attributes after their sources were written by the work of a stage or by a
/// repair.
///
/// Where SQL cannot do that, values stay until Core Data saves their objects.
func corrections(
    in layout: StoreLayout,
    _ graph: ModelGraph,
    after written: WrittenCells
) -> [RowChange] {
    guard !written.isEmpty else { return [] }
    var written = written
    return DerivedAttribute.all(in: layout, graph).compactMap { attribute in
        guard !attribute.readsClock, let (table, column) = attribute.cells(in: layout),
            written.filledTables.contains(table.name)
                || attribute.properties.contains(where: { written.concern($0, in: layout) })
        else { return nil }
        written.columns[table.name, default: []].insert(column.name)
        return attribute.correction(layout, graph)
    }
}

extension EntityCorrespondence {
    /// Whether some rows have no value yet, or an outdated one.
    fileprivate func mustCompute(
        _ attribute: DerivedAttribute,
        _ computed: Set<PropertyReference>,
        _ links: LinkPlan
    ) -> Bool {
        let isMade = (insertions + policies).contains {
            isDestination($0.destination.name, kindOf: attribute.reference.entity)
        }
        if isMade || isDerivedAnew(attribute) { return true }
        return !attribute.readsClock
            && attribute.properties.contains { computed.contains($0) || isChanged($0, links) }
    }

    fileprivate func isDerivedAnew(_ attribute: DerivedAttribute) -> Bool {
        let key = AttributeKey(property: attribute.reference.mapped, path: [])
        return pairs(ofKind: attribute.reference.entity).contains { pair in
            guard let mapping = pair.attributes[key] else { return false }
            guard let origin = mapping.source else { return true }
            let old = sourceGraph.entity(origin.declaredBy)?.attributes
                .first { $0.name == origin.name }
            return old?.derivation != attribute.derivation
        }
    }

    /// Whether the values or links of a property may differ from those under its name in the old version.
    private func isChanged(_ property: PropertyReference, _ links: LinkPlan) -> Bool {
        // Code may write anything.
        guard policyMappings.isEmpty else { return true }
        guard destinationGraph.relationship(property) != nil else {
            return pairs(ofKind: property.entity).contains { pair in
                pair.mapping.attributeMappings.contains {
                    $0.destination == property.mapped && !$0.isCarriedOver
                }
            }
        }
        let origins = links.origins(of: property)
        guard origins.count == 1, !links.isMapped(property) else { return true }
        let origin = origins[0].relationship
        let old = origins[0].isReversed ? links.inverse(of: origin, in: sourceGraph) : origin
        guard let old, old.name == property.name else { return true }
        return !links.takesAll(of: origins[0], for: property)
            || links.shape(of: old, isSource: true) != links.shape(of: property, isSource: false)
    }
}

extension AttributeMapping {
    fileprivate var isCarriedOver: Bool {
        source?.name == destination.name && sourceElementPath == elementPath
            && conversion == .none && nullReplacement == nil && expression == nil
    }
}

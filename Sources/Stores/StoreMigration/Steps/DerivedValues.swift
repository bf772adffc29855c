import MappingInference
import ModelLanguage
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
) -> (steps: [ProgramStep], uncomputed: [UncomputedValue]) {
    var steps: [ProgramStep] = []
    var uncomputed: [UncomputedValue] = []
    var computed: Set<PropertyReference> = []
    let layout = correspondence.destination
    for attribute in DerivedAttribute.all(in: layout)
    where correspondence.mustCompute(attribute, computed, links) {
        let reference = attribute.reference
        computed.insert(reference)
        do throws(UntranslatablePredicate) {
            let keepsValues = attribute.readsClock && !correspondence.isDerivedAnew(attribute)
            if let change = try attribute.computation(layout, keepsValues: keepsValues) {
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
        keepsValues: Bool = false
    ) throws(UntranslatablePredicate) -> RowChange? {
        guard let (table, column) = cells(in: layout) else { return nil }
        let value = try value(ofRow: "s", layout)
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
    fileprivate func correction(_ layout: StoreLayout) -> RowChange? {
        guard let (table, column) = cells(in: layout),
            let value = try? value(ofRow: "t", layout)
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

/// The changes that recompute derived attributes after a stage or a repair wrote their sources.
///
/// Where SQL cannot do that, values stay until Core Data saves their objects.
func corrections(in layout: StoreLayout, after written: WrittenCells) -> [RowChange] {
    guard !written.isEmpty else { return [] }
    var written = written
    return DerivedAttribute.all(in: layout).compactMap { attribute in
        guard !attribute.readsClock, let (table, column) = attribute.cells(in: layout),
            written.filledTables.contains(table.name)
                || attribute.properties.contains(where: { written.concern($0, in: layout) })
        else { return nil }
        written.columns[table.name, default: []].insert(column.name)
        return attribute.correction(layout)
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
        pairs(ofKind: attribute.reference.entity).contains { pair in
            guard let mapping = pair.attributes[.attribute(attribute.reference, [])] else {
                return false
            }
            guard let origin = mapping.source else { return true }
            let old = sourceGraph.entity(origin.entity)?.attributes.first { $0.name == origin.name }
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
                    $0.destination == property && !$0.isCarriedOver
                }
            }
        }
        let origins = links.origins(of: property)
        guard origins.count == 1, !links.isMapped(property) else { return true }
        let origin = origins[0].relationship
        let old = origins[0].isReversed ? sourceGraph.inverse(of: origin) : origin
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

struct DerivedAttribute {
    let reference: PropertyReference
    let derivation: Attribute.Derivation
    /// The properties along its key paths, by the entities that declare them.
    let properties: Set<PropertyReference>
    /// Whether the value includes the time (`now()`): only new rows get one, as the others record their own save.
    let readsClock: Bool

    init(_ reference: PropertyReference, _ derivation: Attribute.Derivation, _ graph: ModelGraph) {
        var walk = KeyPathWalk(entity: reference.entity, graph: graph)
        if let expression = try? PredicateExpression(parsing: derivation.expression) {
            walk.visit(expression)
        }
        (self.reference, self.derivation) = (reference, derivation)
        properties = walk.properties
        readsClock = walk.readsClock
    }

    /// The derived attributes of a version, each after those that it depends on.
    static func all(in layout: StoreLayout) -> [DerivedAttribute] {
        var waiting: [DerivedAttribute] = []
        for entity in layout.entities {
            for attribute in layout.graph.entity(entity.name)?.attributes ?? []
            where !attribute.isTransient {
                guard let derivation = attribute.derivation else { continue }
                let reference = PropertyReference(entity: entity.name, name: attribute.name)
                waiting.append(DerivedAttribute(reference, derivation, layout.graph))
            }
        }
        var sorted: [DerivedAttribute] = []
        while !waiting.isEmpty {
            let names = Set(waiting.map(\.reference))
            let isLast = waiting.map { !$0.properties.isDisjoint(with: names) }
            // In a cycle none comes first.
            let isRing = !isLast.contains(false)
            sorted += zip(waiting, isLast).filter { isRing || !$1 }.map(\.0)
            waiting = isRing ? [] : zip(waiting, isLast).filter { $1 }.map(\.0)
        }
        return sorted
    }

    /// Returns the SQL of the value of a row; throws where SQL cannot express the derivation.
    func value(
        ofRow row: String,
        _ layout: StoreLayout
    ) throws(UntranslatablePredicate) -> String {
        try derivedValue(derivation, of: RowScope(row: row, entity: reference.entity), layout)
    }

    func cells(in layout: StoreLayout) -> (table: EntityTable, column: StoreColumn)? {
        guard let table = layout.table(of: reference.entity),
            let column = layout.column(of: reference)
        else { return nil }
        return (table, column)
    }
}

/// Collects the properties along the key paths of an expression about an entity.
private struct KeyPathWalk {
    let entity: String
    let graph: ModelGraph
    private(set) var properties: Set<PropertyReference> = []
    private(set) var readsClock = false

    /// Visits an expression, with the entities of subqueries' variables; returns the entity of the objects that it
    /// leads to, or `nil` for any other value.
    @discardableResult
    mutating func visit(
        _ expression: PredicateExpression,
        _ variables: [String: String] = [:]
    ) -> String? {
        switch expression {
        case .constant, .symbol: return nil
        case .evaluatedObject: return entity
        case .variable(let name): return variables[name]
        case .keyPath(let operand, let path): return follow(path, from: visit(operand, variables))
        case .function(let operand, let selector, let arguments):
            if selector == "now" { readsClock = true }
            if let operand { visit(operand, variables) }
            let ends = arguments.map { visit($0, variables) }
            return selector == "objectFrom:withIndex:" ? ends.first ?? nil : nil
        case .aggregate(let elements):
            for element in elements { visit(element, variables) }
            return nil
        case .subquery(let collection, let variable, let predicate):
            let members = visit(collection, variables)
            var inner = variables
            inner[variable] = members
            visit(predicate, inner)
            return members
        case .ternary(let predicate, let first, let second):
            visit(predicate, variables)
            let ends = [visit(first, variables), visit(second, variables)]
            return ends[0] ?? ends[1]
        }
    }

    private mutating func visit(_ predicate: Predicate, _ variables: [String: String]) {
        switch predicate {
        case .constant: break
        case .comparison(let comparison):
            visit(comparison.left, variables)
            visit(comparison.right, variables)
        case .and(let parts), .or(let parts): for part in parts { visit(part, variables) }
        case .not(let part): visit(part, variables)
        }
    }

    private mutating func follow(_ path: String, from start: String?) -> String? {
        var end = start
        for key in path.split(separator: ".") where !key.hasPrefix("@") {
            let name = key.hasPrefix("#") ? String(key.dropFirst()) : String(key)
            guard let owner = end.flatMap(graph.entity),
                let (property, declarer) = graph.property(name, of: owner)
            else { return nil }
            properties.insert(PropertyReference(entity: declarer.name, name: name))
            end = (property as? Relationship)?.destinationEntity
        }
        return end
    }
}

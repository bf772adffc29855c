import ModelLanguage
import ObjectModel
import RowExchange
import StoreFormat

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
        self.reference = reference
        self.derivation = derivation
        properties = walk.properties
        readsClock = walk.readsClock
    }

    /// The derived attributes of a version, each after those that it depends on.
    static func all(in layout: StoreLayout, _ graph: ModelGraph) -> [DerivedAttribute] {
        var waiting: [DerivedAttribute] = []
        for entity in layout.entities {
            for attribute in graph.entity(entity.name)?.attributes ?? []
            where !attribute.isTransient {
                guard let derivation = attribute.derivation else { continue }
                let reference = PropertyReference(entity: entity.name, name: attribute.name)
                waiting.append(DerivedAttribute(reference, derivation, graph))
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
        _ layout: StoreLayout,
        _ graph: ModelGraph
    ) throws(UntranslatablePredicate) -> String {
        let scope = RowScope(row: row, entity: reference.entity)
        return try derivedValue(derivation, of: scope, layout, graph)
    }

    func cells(in layout: StoreLayout) -> (table: EntityTable, column: StoreColumn)? {
        guard let table = layout.table(of: reference.entity),
            let column = layout.column(of: reference.name, declaredBy: reference.entity)
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

import MappingInference
import MigrationPlanning
import ModelLanguage
import ObjectModel
import SQLiteAccess
import StoreFormat

/// One entity mapping with both of its ends found, ready to be carried out.
struct MapTarget {
    /// Where the links of a relationship come from.
    enum Origin {
        /// Along a path of relationships of the source, through the objects of one mapping or of all.
        case path([String], mapping: String?)
        /// The object whose key has a value, as SQL over the source object.
        case find(entity: String, key: String, equals: String)
    }

    let place: Int
    let map: StageMap.EntityMap
    let source: Entity
    let destination: Entity
    let sourceTable: EntityTable
    let table: EntityTable
    let number: Int
    /// The condition on the source object `s`.
    let condition: String
    /// The values of attribute columns, as SQL over `s`.
    private(set) var cells: [(column: String, value: String)] = []
    /// The values of the keys by which objects are found or created.
    private(set) var keys: [(column: String, value: String)] = []
    /// The origins of relationships, ordered ones first.
    private(set) var origins: [(relationship: Relationship, origin: Origin)] = []
    /// Whether objects keep their keys.
    var keepsKeys = false

    /// The table that says which object became which.
    var objects: String { Self.objects(place) }

    /// Returns the table that says which object became which by the mapping of a place.
    static func objects(_ place: Int) -> String { "temp.momtool_objects_\(place)" }

    /// Returns the table of objects whose links a policy leaves to the mapping of a place.
    static func related(_ place: Int) -> String { "temp.momtool_related_\(place)" }

    init?(
        _ map: StageMap.EntityMap,
        place: Int,
        from source: MapSource,
        to layout: StoreLayout,
        _ graph: ModelGraph,
        inferred: EntityMapping?
    ) throws(MapFault) {
        guard let name = map.destination else { return nil }
        guard let destination = graph.entity(name), let table = layout.table(of: name),
            let number = layout.number(of: name)
        else { throw MapFault(reason: "the new version has no entity '\(name)'") }
        // An entity without a source gets no objects.
        guard let sourceName = map.source else { return nil }
        guard let entity = source.graph.entity(sourceName),
            let sourceTable = source.layout.table(of: sourceName)
        else { throw MapFault(reason: "the old version has no entity '\(sourceName)'") }
        if destination.isAbstract, !entity.isAbstract {
            throw MapFault(reason: "'\(name)' is abstract and can have no objects")
        }
        self.place = place
        self.map = map
        self.source = entity
        self.destination = destination
        self.sourceTable = sourceTable
        self.table = table
        self.number = number
        let expressions = MapExpressions(source: source, entity: entity)
        condition = try source.condition(of: map, on: entity)
        try checkNames(graph)
        try addAttributes(expressions, layout, graph, inferred)
        try addOrigins(expressions, graph, inferred)
        try addKeys(layout)
    }

    private func checkNames(_ graph: ModelGraph) throws(MapFault) {
        let known = Set(graph.properties(of: destination).map(\.name))
        for name in map.values.keys.sorted() where !known.contains(name) {
            throw MapFault(reason: "'\(destination.name)' has no property '\(name)'")
        }
    }

    private mutating func addAttributes(
        _ expressions: MapExpressions,
        _ layout: StoreLayout,
        _ graph: ModelGraph,
        _ inferred: EntityMapping?
    ) throws(MapFault) {
        for attribute in graph.attributes(of: destination) where !attribute.isTransient {
            let leaves =
                attribute.type == .composite
                ? graph.leaves(of: attribute) : [(path: [], attribute: attribute)]
            for leaf in leaves {
                let column = layout.column(
                    of: attribute.name,
                    path: leaf.path,
                    declaredBy: destination.name
                )
                guard let column else { continue }
                let value = try value(of: attribute.name, leaf, expressions, inferred)
                cells.append((column.name, value))
            }
        }
    }

    private func value(
        of name: String,
        _ leaf: (path: [String], attribute: Attribute),
        _ expressions: MapExpressions,
        _ inferred: EntityMapping?
    ) throws(MapFault) -> String {
        let fallback = leaf.attribute.defaultValue?.sqlLiteral ?? "NULL"
        if let expression = map.values[name] {
            // What a mapping model says of a property that is new says nothing.
            if expressions.sourcePath(expression) == [name],
                expressions.source.graph.property(name, of: source) == nil
            {
                return fallback
            }
            guard leaf.path.isEmpty || expressions.sourcePath(expression) != nil else {
                throw MapFault(reason: "'\(name)' has elements; give it a path")
            }
            let path = leaf.path.joined(separator: ".")
            let whole = path.isEmpty ? expression : .keyPath(expression, path)
            return try Self.faults(in: "\(destination.name).\(name)") {
                () throws(MapFault) -> String in
                try expressions.sql(whole)
            }
        }
        guard map.copiesRest else { return fallback }
        return try copiedValue(of: name, leaf.path, expressions, inferred, fallback: fallback)
    }

    /// Returns the value of an attribute that the map says nothing of, as inference has it.
    private func copiedValue(
        of name: String,
        _ path: [String],
        _ expressions: MapExpressions,
        _ inferred: EntityMapping?,
        fallback: String
    ) throws(MapFault) -> String {
        let mapping = inferred?.attributeMappings.first {
            $0.destination.name == name && $0.elementPath == path
        }
        guard let origin = mapping?.source else {
            // Without an inferred mapping of this pair of entities, properties of one name belong together.
            guard inferred == nil,
                let column = expressions.source.layout.column(
                    of: name,
                    path: path,
                    declaredBy: source.name
                )
            else { return fallback }
            return "s.\(quotedIdentifier(column.name))"
        }
        let column = expressions.source.layout.column(
            of: origin.name,
            path: mapping?.sourceElementPath ?? [],
            declaredBy: source.name
        )
        guard let column, let conversion = mapping?.conversion else { return fallback }
        if case .incompatible = conversion {
            throw MapFault(
                reason: "'\(destination.name).\(name)' changes its type; give it an expression"
            )
        }
        let value = conversion.sql(of: "s.\(quotedIdentifier(column.name))")
        return mapping?.nullReplacement.map { "COALESCE(\(value), \($0.sqlLiteral))" } ?? value
    }

    private mutating func addOrigins(
        _ expressions: MapExpressions,
        _ graph: ModelGraph,
        _ inferred: EntityMapping?
    ) throws(MapFault) {
        let whole = self
        let relationships = graph.relationships(of: destination).filter { !$0.isTransient }
        for relationship in relationships.filter(\.isOrdered)
            + relationships.filter({ !$0.isOrdered })
        {
            let origin = try Self.faults(in: "\(destination.name).\(relationship.name)") {
                () throws(MapFault) -> Origin? in
                try whole.origin(of: relationship, expressions, inferred)
            }
            if let origin { origins.append((relationship, origin)) }
        }
    }

    private func origin(
        of relationship: Relationship,
        _ expressions: MapExpressions,
        _ inferred: EntityMapping?
    ) throws(MapFault) -> Origin? {
        let name = relationship.name
        guard let expression = map.values[name] else {
            guard map.copiesRest else { return nil }
            let mapping = inferred?.relationshipMappings.first { $0.destination.name == name }
            if let inferred, inferred.destinationEntity == destination.name {
                return (mapping?.source?.name).map { .path([$0], mapping: nil) }
            }
            let own = expressions.source.graph.relationship(name, of: source)
            return own == nil ? nil : .path([name], mapping: nil)
        }
        if case .constant(.null) = expression { return nil }
        guard case .function(_, let selector, let arguments) = expression else {
            return try path(expression, name, nil, expressions)
        }
        switch selector {
        case "destinationInstancesForEntityMappingNamed:sourceInstances:":
            guard arguments.count == 2, case .constant(.string(let mapping)) = arguments[0] else {
                throw MapFault(reason: "'\(expression)' cannot be carried out")
            }
            return try path(arguments[1], name, mapping, expressions)
        case "destinationInstancesForSourceRelationshipNamed:sourceInstances:":
            guard arguments.count == 2 else {
                throw MapFault(reason: "'\(expression)' cannot be carried out")
            }
            return try path(arguments[1], name, nil, expressions)
        case StageMap.Function.find:
            guard arguments.count == 3, case .constant(.string(let entity)) = arguments[0],
                case .constant(.string(let key)) = arguments[1], !relationship.isToMany
            else { throw MapFault(reason: "find needs entity, key and equals, and a to-one") }
            return .find(entity: entity, key: key, equals: try expressions.sql(arguments[2]))
        default: return try path(expression, name, nil, expressions)
        }
    }

    private func path(
        _ expression: PredicateExpression,
        _ name: String,
        _ mapping: String?,
        _ expressions: MapExpressions
    ) throws(MapFault) -> Origin? {
        // The source itself stands for what became of it by another mapping.
        let isSource = expression == .variable("source")
        guard let path = isSource ? [] : expressions.sourcePath(expression) else {
            throw MapFault(reason: "'\(expression)' is no path of relationships")
        }
        // Operators on collections, as @distinctUnionOfSets, say what sets of links do anyway.
        let names = path.filter { !$0.hasPrefix("@") }
        if names == [name], expressions.source.graph.relationship(name, of: source) == nil {
            return nil
        }
        _ = try expressions.source.destination(of: names, from: source)
        return .path(names, mapping: mapping)
    }

    private mutating func addKeys(_ layout: StoreLayout) throws(MapFault) {
        for name in map.findOrCreateKeys {
            let column = layout.column(of: name, declaredBy: destination.name)?.name
            guard let cell = cells.first(where: { $0.column == column }) else {
                throw MapFault(
                    reason: "'\(destination.name)' has no attribute '\(name)' to find by"
                )
            }
            keys.append(cell)
        }
    }

    private static func faults<Result>(
        in property: String,
        _ body: () throws(MapFault) -> Result
    ) throws(MapFault) -> Result {
        do throws(MapFault) {
            return try body()
        } catch {
            throw MapFault(reason: "'\(property)': \(error.reason)")
        }
    }
}

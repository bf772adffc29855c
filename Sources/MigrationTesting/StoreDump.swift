import MappingInference
package import ObjectModel
package import SQLiteAccess
package import StoreFormat

/// All objects of a store in the terms of its model, read by the layout: what a migration must keep.
package struct StoreDump {
    package struct Key: Hashable {
        package var entity: String
        package var key: Int64

        package init(entity: String, key: Int64) {
            (self.entity, self.key) = (entity, key)
        }
    }

    /// The values of each object: `name` or `name.element` for composites.
    package private(set) var values: [Key: [String: SQLiteValue]] = [:]
    /// The destinations of each object's relationships, in their order where there is one.
    package private(set) var links: [Key: [String: [Int64]]] = [:]
    /// The relationships, as `Entity.name`, whose links have an order.
    package private(set) var orderedRelationships: Set<String> = []

    /// Reads everything; memory grows with the store.
    package init(_ store: StoreFile, model: ManagedObjectModel) throws(StoreError) {
        let layout = storedLayout(of: model, try store.metadata(), try store.schema())
        let graph = ModelGraph(model)
        for entity in layout.entities {
            guard let definition = graph.entity(entity.name),
                let table = layout.table(of: entity.name)
            else { continue }
            try readValues(of: definition, entity.number, table, layout, graph, store)
            for owner in graph.lineage(of: definition) {
                for relationship in owner.relationships where !relationship.isTransient {
                    try readLinks(relationship, of: owner, entity, table, layout, store)
                }
            }
        }
    }

    /// The number of objects of each entity.
    var counts: [String: Int] {
        values.keys.reduce(into: [:]) { counts, key in counts[key.entity, default: 0] += 1 }
    }

    private mutating func readValues(
        of entity: Entity,
        _ number: Int,
        _ table: EntityTable,
        _ layout: StoreLayout,
        _ graph: ModelGraph,
        _ store: StoreFile
    ) throws(StoreError) {
        var columns: [(name: String, column: String)] = []
        for owner in graph.lineage(of: entity) {
            for attribute in owner.attributes where !attribute.isTransient {
                let leaves =
                    attribute.type == .composite ? graph.leaves(of: attribute).map(\.path) : [[]]
                for path in leaves {
                    let column = layout.column(
                        of: attribute.name,
                        path: path,
                        declaredBy: owner.name
                    )
                    guard let column else { continue }
                    columns.append(
                        (([attribute.name] + path).joined(separator: "."), column.name)
                    )
                }
            }
        }
        let list = (["Z_PK", "Z_OPT"] + columns.map(\.column)).joined(separator: ", ")
        let rows = try store.connection.rows(
            "SELECT \(list) FROM \(table.name) WHERE Z_ENT = \(number)"
        )
        for row in rows {
            let key = Key(entity: entity.name, key: row[0].integer ?? 0)
            var values = ["Z_OPT": row[1]]
            for (index, column) in columns.enumerated() { values[column.name] = row[index + 2] }
            self.values[key] = values
            links[key] = [:]
        }
    }

    private mutating func readLinks(
        _ relationship: Relationship,
        of owner: Entity,
        _ entity: NumberedEntity,
        _ table: EntityTable,
        _ layout: StoreLayout,
        _ store: StoreFile
    ) throws(StoreError) {
        let query: String
        let order: String?
        switch layout.storage(of: relationship.name, declaredBy: owner.name) {
        case .foreignKey(let table, let column, _, _)?:
            query = "SELECT Z_PK, \(column) FROM \(table) WHERE \(column) IS NOT NULL"
            order = nil
        case .inverseForeignKey(let table, let column, _, let key)?:
            query = "SELECT \(column), Z_PK FROM \(table) WHERE \(column) IS NOT NULL"
            order = relationship.isOrdered ? key : nil
        case .joinTable(let table, let source, let destination, let key)?:
            query = "SELECT \(source), \(destination) FROM \(table) WHERE 1"
            order = key
        case .ownerColumn(let table, let column, let key)?:
            query = "SELECT \(column), Z_PK FROM \(table) WHERE \(column) IS NOT NULL"
            order = key
        case RelationshipStorage.none?, nil: return
        }
        if order != nil { orderedRelationships.insert("\(owner.name).\(relationship.name)") }
        let rows = try store.connection.rows(query + (order.map { " ORDER BY \($0)" } ?? ""))
        for row in rows {
            let key = Key(entity: entity.name, key: row[0].integer ?? 0)
            links[key]?[relationship.name, default: []].append(row[1].integer ?? 0)
        }
    }
}

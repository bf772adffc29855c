package import ObjectModel
package import SQLiteAccess
package import StoreFormat

/// All objects of a store in the terms of its model, read by the layout: what a migration must keep.
package struct StoreDump {
    package struct Key: Hashable {
        package var entity: String
        package var key: Int64

        package init(entity: String, key: Int64) { (self.entity, self.key) = (entity, key) }
    }

    package private(set) var keys: [String: [Int64]] = [:]
    /// The values of each object that was read, by `name`, or `name.element` for composites.
    package private(set) var values: [Key: [String: SQLiteValue]] = [:]
    /// The destinations of each object's relationships, in their order where there is one.
    package private(set) var links: [Key: [String: [Int64]]] = [:]
    package private(set) var orderedRelationships: Set<String> = []
    private let store: StoreFile
    private let layout: StoreLayout
    private let graph: ModelGraph
    private var isWhole = false

    /// Reads everything; memory grows with the store.
    package init(_ store: StoreFile, model: ManagedObjectModel) throws(StoreError) {
        try self.init(keysOf: store, model: model)
        for entity in layout.entities { try read(entity.name) }
        isWhole = true
    }

    /// Reads the keys of objects, and leaves their content to ``part(_:)``.
    package init(keysOf store: StoreFile, model: ManagedObjectModel) throws(StoreError) {
        self.store = store
        layout = storedLayout(of: model, try store.metadata(), try store.schema())
        graph = ModelGraph(model)
        for entity in layout.entities {
            guard graph.entity(entity.name) != nil, let table = layout.table(of: entity.name)
            else { continue }
            keys[entity.name] = try store.connection.rows(
                "SELECT Z_PK FROM \(quotedIdentifier(table.name)) WHERE Z_ENT = \(entity.number)"
            ).map { $0[0].integer ?? 0 }
        }
    }

    /// Returns the objects of one entity with their content; memory grows only with that entity.
    func part(_ entity: String) throws(StoreError) -> StoreDump {
        guard !isWhole else { return self }
        var part = self
        try part.read(entity)
        return part
    }

    var counts: [String: Int] { keys.mapValues(\.count).filter { $0.value > 0 } }

    private mutating func read(_ name: String) throws(StoreError) {
        guard let entity = layout.entities.first(where: { $0.name == name }),
            let definition = graph.entity(name), let table = layout.table(of: name)
        else { return }
        try readValues(of: definition, entity.number, table)
        for owner in graph.lineage(of: definition) {
            for relationship in owner.relationships where !relationship.isTransient {
                try readLinks(relationship, of: owner, entity)
            }
        }
    }

    private mutating func readValues(
        of entity: Entity,
        _ number: Int,
        _ table: EntityTable
    ) throws(StoreError) {
        var columns: [(name: String, column: String)] = []
        for owner in graph.lineage(of: entity) {
            for attribute in owner.attributes where !attribute.isTransient {
                for (path, _) in graph.values(of: attribute) {
                    let column = layout.column(
                        of: attribute.name,
                        path: path,
                        declaredBy: owner.name
                    )
                    guard let column else { continue }
                    columns.append((([attribute.name] + path).joined(separator: "."), column.name))
                }
            }
        }
        let list = (["Z_PK", "Z_OPT"] + columns.map(\.column)).map(quotedIdentifier)
            .joined(separator: ", ")
        let name = quotedIdentifier(table.name)
        let rows = try store.connection.rows("SELECT \(list) FROM \(name) WHERE Z_ENT = \(number)")
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
        _ entity: NumberedEntity
    ) throws(StoreError) {
        guard let stored = layout.links(relationship.name, of: owner.name) else { return }
        let order = stored.form != .key && relationship.isOrdered ? stored.orderKey : nil
        if order != nil { orderedRelationships.insert("\(owner.name).\(relationship.name)") }
        let list = [stored.source, stored.destination].map(quotedIdentifier).joined(separator: ", ")
        var query = "SELECT \(list) FROM \(quotedIdentifier(stored.table))"
        if stored.form != .join { query += " WHERE \(quotedIdentifier(stored.key)) IS NOT NULL" }
        if let order { query += " ORDER BY \(quotedIdentifier(order))" }
        let rows = try store.connection.rows(query)
        for row in rows {
            let key = Key(entity: entity.name, key: row[0].integer ?? 0)
            links[key]?[relationship.name, default: []].append(row[1].integer ?? 0)
        }
    }
}

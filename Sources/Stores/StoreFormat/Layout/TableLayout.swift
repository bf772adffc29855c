import ObjectModel

/// Lays out the tables of a model's root entities (SQLiteStores, "Tables and columns" and "Relationships").
func tableLayout(of model: NumberedModel, names: inout UniqueNames) -> [EntityTable] {
    var arrivals = arrivals(in: model)
    var tables: [EntityTable] = []
    var start = 0
    while start < model.entities.count {
        let root = model.entities[start]
        let rest = model.entities[(start + 1)...]
        let end = rest.firstIndex { $0.superNumber == 0 } ?? model.entities.count
        let builder = TableBuilder(
            model,
            start..<end,
            arrivals.removeValue(forKey: root.name) ?? []
        )
        tables.append(
            EntityTable(
                name: names.claim("Z" + root.name.uppercased()),
                rootEntity: root.name,
                entities: model.entities[start..<end].map(\.name),
                columns: builder.columns()
            )
        )
        start = end
    }
    return tables
}

/// A to-many relationship without inverse, which is kept in the table of its destination.
private struct Arrival {
    var owner: Int
    var relationship: Relationship
}

/// Finds the to-many relationships without inverse, by the root entity of their destinations.
private func arrivals(in model: NumberedModel) -> [String: [Arrival]] {
    var arrivals: [String: [Arrival]] = [:]
    for position in model.definitions.indices {
        for relationship in loneRelationships(of: position, in: model) {
            guard let destination = model.destination(of: relationship) else { continue }
            arrivals[model.entities[destination].rootName, default: []]
                .append(Arrival(owner: position, relationship: relationship))
        }
    }
    return arrivals
}

/// Finds the to-many relationships of an entity that have no inverse, in the order of their columns.
///
/// A separate function because the optimizer of Swift 6.3 aborts if all this is in one loop.
private func loneRelationships(of position: Int, in model: NumberedModel) -> [Relationship] {
    let lone = model.definitions[position].relationships.filter { relationship in
        relationship.isToMany && model.inverse(of: relationship) == nil
    }
    guard !lone.isEmpty else { return [] }
    let names = model.persistentNames(of: position)
    return lone.sorted(by: { $0.name }, in: HashOrder.enumerate(names, capacity: names.count + 3))
}

private struct TableBuilder {
    /// A to-one column with the suffix that its clashes gave it.
    private struct ToOne {
        var reference: PropertyReference
        var relationship: Relationship
        var suffix: String

        var name: String { relationship.name.uppercased() + suffix }
    }

    private let model: NumberedModel
    private let range: Range<Int>
    private let arrivals: [Arrival]
    private var taken = UniqueNames(reserved: ["Z_PK", "Z_ENT", "Z_OPT"])
    private var groups = [[StoreColumn]](repeating: [], count: ColumnGroup.count)
    private var toOnes: [ToOne] = []

    init(_ model: NumberedModel, _ range: Range<Int>, _ arrivals: [Arrival]) {
        (self.model, self.range, self.arrivals) = (model, range, arrivals)
        for position in range { addProperties(of: position) }
        addOrderKeys()
        addArrivals()
    }

    func columns() -> [StoreColumn] {
        [
            StoreColumn(name: "Z_PK", declaredType: "INTEGER", role: .primaryKey),
            StoreColumn(name: "Z_ENT", declaredType: "INTEGER", role: .entityNumber),
            StoreColumn(name: "Z_OPT", declaredType: "INTEGER", role: .optimisticLock),
        ] + groups.flatMap(\.self)
    }

    private mutating func addProperties(of position: Int) {
        let definition = model.definitions[position]
        for leaf in definition.leaves {
            guard let column = leaf.attribute.type.row.column else { continue }
            let attribute = PropertyReference(entity: definition.entity.name, name: leaf.name)
            let role = ColumnRole.attribute(attribute, leaf.path)
            let name = taken.claim("Z" + leaf.attribute.name.uppercased())
            groups[column.group].append(
                StoreColumn(name: name, declaredType: column.declaredType, role: role)
            )
        }
        for relationship in definition.relationships where !relationship.isToMany {
            addToOne(relationship, of: position)
        }
    }

    private mutating func addToOne(_ relationship: Relationship, of position: Int) {
        guard let destination = model.destination(of: relationship) else { return }
        let entity = model.entities[position].name
        let suffix = taken.claimSuffix(for: "Z" + relationship.name.uppercased())
        let toOne = ToOne(
            reference: PropertyReference(entity: entity, name: relationship.name),
            relationship: relationship,
            suffix: suffix
        )
        toOnes.append(toOne)
        add("Z" + toOne.name, .toOne(toOne.reference), to: ColumnGroup.integer)
        guard model.hasSubentities[destination] else { return }
        let name = taken.claim("Z\(model.entities[destination].number)_\(toOne.name)")
        add(name, .toOneEntity(toOne.reference), to: ColumnGroup.integer)
    }

    /// Order keys are sorted by the entity that owns the to-many relationship; within one owner the order is a guess
    /// (SQLiteStores, "Orders that follow a hash table").
    private mutating func addOrderKeys() {
        let ordered = toOnes.compactMap { toOne in
            model.inverse(of: toOne.relationship).flatMap { inverse in
                inverse.relationship.isToMany && inverse.relationship.isOrdered
                    ? (toOne: toOne, inverse: inverse) : nil
            }
        }
        let byOwner = Dictionary(grouping: ordered) { $0.inverse.position }
        for owner in byOwner.keys.sorted() {
            let order = selfJoinOrder(of: owner, in: model)
            for (toOne, _) in (byOwner[owner] ?? [])
                .sorted(by: { $0.inverse.relationship.name }, in: order)
            {
                let name = taken.claim("Z_FOK_" + toOne.name)
                add(name, .orderKey(toOne.reference), to: ColumnGroup.orderKey)
            }
        }
    }

    private mutating func addArrivals() {
        for arrival in arrivals {
            let owner = model.entities[arrival.owner]
            let link = PropertyReference(entity: owner.name, name: arrival.relationship.name)
            let column = taken.claim("Z\(owner.number)\(link.name.uppercased())")
            add(column, .toManyOwner(link), to: ColumnGroup.owner)
            guard arrival.relationship.isOrdered else { continue }
            let orderKey = taken.claim("Z_FOK_" + column.dropFirst())
            add(orderKey, .toManyOwnerOrderKey(link), to: ColumnGroup.owner)
        }
    }

    private mutating func add(_ name: String, _ role: ColumnRole, to group: Int) {
        groups[group].append(StoreColumn(name: name, declaredType: "INTEGER", role: role))
    }
}

/// Returns the names of an entity's relationships in a guessed order (SQLiteStores, "Orders that follow a hash table").
func selfJoinOrder(of position: Int, in model: NumberedModel) -> [String] {
    let names = model.allRelationships(of: position).map(\.name)
    return HashOrder.enumerate(names.reversed(), capacity: names.count)
}

/// The order of the groups of columns in a table (SQLiteStores, "Column order").
private enum ColumnGroup {
    static let integer = 0
    static let orderKey = 1
    static let owner = 2
    static let count = 10
}

extension Array {
    func sorted(by name: (Element) -> String, in order: [String]) -> [Element] {
        let ranks = Dictionary(firstOf: order.enumerated().map { ($1, $0) })
        return map { (rank: ranks[name($0)] ?? Int.max, element: $0) }.sorted { $0.rank < $1.rank }
            .map(\.element)
    }
}

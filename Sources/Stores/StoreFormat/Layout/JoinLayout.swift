import ObjectModel
import SQLiteAccess

/// Lays out the join tables of a model (SQLiteStores, "Many-to-many relationships"), in order of creation.
func joinLayout(
    of model: NumberedModel,
    options: LayoutOptions,
    names: inout UniqueNames
) -> [JoinTable] {
    let joins = joins(in: model, options: options)
    let columns = columnNames(of: joins, in: model)
    return joins.map { join in
        let suffix = names.claimSuffix(for: join.tableName(in: model))
        let reference = join.side.reference(in: model)
        let inverse = join.inverse.reference(in: model)
        let second = columns[reference] ?? ""
        let first = columns[inverse] ?? ""
        return JoinTable(
            name: join.tableName(in: model) + suffix,
            first: JoinColumn(
                name: first,
                entity: reference.entity,
                leadsThrough: inverse,
                orderKey: orderKey(first, of: join.inverse.relationship)
            ),
            second: JoinColumn(
                name: join.isReflexive ? "REFLEXIVE" : second,
                entity: inverse.entity,
                leadsThrough: reference,
                orderKey: join.isReflexive ? nil : orderKey(second, of: join.side.relationship)
            ),
            isNameGuessed: join.isGuess
        )
    }
}

private func orderKey(_ column: String, of relationship: Relationship) -> String? {
    relationship.isOrdered ? "Z_FOK_" + column.dropFirst(2) : nil
}

/// A pair of many-to-many relationships; `side` names the table.
private struct Join {
    var side: NumberedModel.Place
    var inverse: NumberedModel.Place
    var isGuess: Bool
    var isReflexive: Bool

    func tableName(in model: NumberedModel) -> String {
        "Z_\(model.entities[side.position].number)\(side.relationship.name.uppercased())"
    }
}

extension NumberedModel.Place {
    fileprivate func reference(in model: NumberedModel) -> PropertyReference {
        PropertyReference(entity: model.entities[position].name, name: relationship.name)
    }
}

/// Pairs are found entity by entity in alphabetical order, each with what it inherits, and the side that comes up first
/// names the table by the entity that declares it (SQLiteStores, "Many-to-many relationships"); tables are created in
/// the order of entity numbers.
private func joins(in model: NumberedModel, options: LayoutOptions) -> [Join] {
    var pending = model.definitions.enumerated().map { position, definition in
        definition.relationships.map { NumberedModel.Place(position: position, relationship: $0) }
            .filter { isJoin($0, in: model) }
    }
    var joins: [Join] = []
    var done: Set<PropertyReference> = []
    var ranks: [Int: [String: Int]] = [:]
    for position in model.alphabetical {
        let declarers = model.lineage(of: position).filter { !pending[$0].isEmpty }
        let sides = declarers.flatMap { pending[$0] }
        // An entity settles its inherited relationships too.
        for declarer in declarers { pending[declarer] = [] }
        guard !sides.isEmpty else { continue }
        for side in sides.sorted(by: { $0.relationship.name }, in: creationOrder(position, model)) {
            guard let inverse = model.inverse(of: side.relationship),
                done.insert(side.reference(in: model)).inserted
            else { continue }
            done.insert(inverse.reference(in: model))
            joins.append(join(side, inverse, &ranks, in: model, options: options))
        }
    }
    return Dictionary(grouping: joins, by: \.side.position).sorted { $0.key < $1.key }
        .flatMap { position, joins in
            guard joins.count > 1 else { return joins }
            let order = creationOrder(position, model)
            return joins.sorted(by: { $0.side.relationship.name }, in: order)
        }
}

/// The order in which the tables that an entity names are created (SQLiteStores, "Orders that follow a hash table").
private func creationOrder(_ position: Int, _ model: NumberedModel) -> [String] {
    let names = model.persistentNames(of: position)
    return HashOrder.enumerate(names, capacity: names.count + 3)
}

private func selfJoinRanks(of position: Int, in model: NumberedModel) -> [String: Int] {
    Dictionary(firstOf: selfJoinOrder(of: position, in: model).enumerated().map { ($1, $0) })
}

private func isJoin(_ side: NumberedModel.Place, in model: NumberedModel) -> Bool {
    guard side.relationship.isToMany, let inverse = model.inverse(of: side.relationship),
        inverse.relationship.isToMany, let back = model.inverse(of: inverse.relationship)
    else { return false }
    return back.position == side.position && back.relationship.name == side.relationship.name
}

private func join(
    _ side: NumberedModel.Place,
    _ inverse: NumberedModel.Place,
    _ knownRanks: inout [Int: [String: Int]],
    in model: NumberedModel,
    options: LayoutOptions
) -> Join {
    let isReflexive =
        side.position == inverse.position && side.relationship.name == inverse.relationship.name
    guard side.position == inverse.position, !isReflexive else {
        return Join(side: side, inverse: inverse, isGuess: false, isReflexive: isReflexive)
    }
    for (winner, other) in [(side, inverse), (inverse, side)]
    where options.overrides.contains(winner.reference(in: model)) {
        return Join(side: winner, inverse: other, isGuess: false, isReflexive: false)
    }
    let ranks = knownRanks[side.position] ?? selfJoinRanks(of: side.position, in: model)
    knownRanks[side.position] = ranks
    let isFirst =
        ranks[side.relationship.name, default: 0] <= ranks[inverse.relationship.name, default: 0]
    return Join(
        side: isFirst ? side : inverse,
        inverse: isFirst ? inverse : side,
        isGuess: true,
        isReflexive: false
    )
}

/// Names the columns by the relationship that leads through them.
///
/// Columns that point at one entity by relationships of one name are numbered over all join tables, in alphabetical
/// order of the entities that declare the relationships.
private func columnNames(of joins: [Join], in model: NumberedModel) -> [PropertyReference: String] {
    let sides = joins.flatMap { join in
        [(through: join.side, target: join.inverse), (through: join.inverse, target: join.side)]
    }
    var ranks = [Int](repeating: 0, count: model.entities.count)
    for (rank, position) in model.alphabetical.enumerated() { ranks[position] = rank }
    let sorted = sides.sorted { left, right in
        left.through.position == right.through.position
            ? isOrdered(left.through.relationship.name, before: right.through.relationship.name)
            : ranks[left.through.position] < ranks[right.through.position]
    }
    var taken = UniqueNames()
    var names: [PropertyReference: String] = [:]
    for (through, target) in sorted {
        let reference = through.reference(in: model)
        guard names[reference] == nil else { continue }
        let number = model.entities[target.position].number
        names[reference] = taken.claim("Z_\(number)\(through.relationship.name.uppercased())")
    }
    return names
}

/// Finds the tables of many-to-many relationships in an existing store, under any names, by the columns that they must have
/// (SQLiteStores, "Many-to-many relationships"); returns them in the order of `joins`.
///
/// Either side may name a table, and clashing columns may have any number as a suffix. Unmatched relationships keep their
/// predicted names. `columns` are those of the store's possible join tables.
func matched(
    _ joins: [JoinTable],
    in model: NumberedModel,
    among columns: [String: [String]]
) -> [JoinTable] {
    var candidates = columns
    var joins = joins
    let missing = joins.indices.filter { place in
        let join = joins[place]
        guard let present = candidates[join.name], Set(present).isSuperset(of: join.columnNames)
        else { return true }
        candidates[join.name] = nil
        joins[place].isNameGuessed = false
        return false
    }
    for place in missing {
        let names = JoinNames(join: joins[place], model: model)
        let found = candidates.keys.sorted().compactMap { name in
            names.table(name, candidates[name] ?? [])
        }
        // By its own name first; otherwise only if there is no other candidate.
        let own = found.first { $0.name == joins[place].name }
        guard let table = own ?? (found.count == 1 ? found.first : nil) else { continue }
        candidates[table.name] = nil
        joins[place] = table
    }
    return joins
}

extension [SchemaObject] {
    var joinTableColumns: [String: [String]] {
        let tables = filter {
            $0.kind == .table && $0.name.hasPrefix("Z_") && !$0.isEntityTable
                && !StoreLayout.systemTables.contains($0.name) && !$0.sql.isVirtualTable
        }
        return Dictionary(firstOf: tables.map { ($0.name, declaredColumnNames(of: $0.sql)) })
    }
}

/// The names of a join table and its columns, apart from distinguishing numbers.
private struct JoinNames {
    let join: JoinTable
    let model: NumberedModel

    /// The table in a store; `nil` if it is a different one.
    func table(_ name: String, _ columns: [String]) -> JoinTable? {
        let keys = columns.filter { !$0.hasPrefix("Z_FOK_") }
        guard keys.count == 2 else { return nil }
        for (first, second) in [(keys[0], keys[1]), (keys[1], keys[0])]
        where isMeant(join.first, by: first) && isMeant(join.second, by: second) {
            var table = join
            table.name = name
            table.isNameGuessed = false
            table.first.rename(first)
            table.second.rename(second)
            if !isNamed(name, by: join.second.leadsThrough),
                isNamed(name, by: join.first.leadsThrough)
            {
                (table.first, table.second) = (table.second, table.first)
            }
            if Set(columns).isSuperset(of: table.columnNames) { return table }
        }
        return nil
    }

    private func isMeant(_ column: JoinColumn, by name: String) -> Bool {
        guard column.name != "REFLEXIVE" else { return name == column.name }
        return isNumbered(name, base(column.entity, column.leadsThrough.name))
    }

    private func isNamed(_ name: String, by relationship: PropertyReference) -> Bool {
        isNumbered(name, base(relationship.entity, relationship.name))
    }

    private func base(_ entity: String, _ relationship: String) -> String {
        let number = model.positions[entity].map { model.entities[$0].number } ?? 0
        return "Z_\(number)\(relationship.uppercased())"
    }

    private func isNumbered(_ name: String, _ base: String) -> Bool {
        name.uppercased().hasPrefix(base)
            && name.dropFirst(base.count).allSatisfy { $0.isASCII && $0.isNumber }
    }
}

extension JoinColumn {
    fileprivate mutating func rename(_ other: String) {
        name = other
        if orderKey != nil { orderKey = "Z_FOK_" + other.dropFirst(2) }
    }
}

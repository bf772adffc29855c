import ObjectModel
import SQLiteAccess

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
        let names = JoinNames(joins[place], in: model)
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
    private let join: JoinTable
    private let model: NumberedModel

    init(_ join: JoinTable, in model: NumberedModel) {
        self.join = join
        self.model = model
    }

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

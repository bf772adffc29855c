import StoreFormat
import ObjectModel

/// What was written in a store: tables that gained or lost rows, and columns of others.
struct WrittenCells {
    var filledTables: Set<String> = []
    var emptiedTables: Set<String> = []
    var columns: [String: Set<String>] = [:]

    var isEmpty: Bool { filledTables.isEmpty && emptiedTables.isEmpty && columns.isEmpty }

    func concern(_ property: PropertyReference, in layout: StoreLayout) -> Bool {
        guard let links = layout.links(of: property) else {
            guard let table = layout.table(of: property.entity), let written = columns[table.name]
            else { return false }
            return table.columns.contains { column in
                guard case .attribute(property, _) = column.role else {
                    return false
                }
                return written.contains(column.name)
            }
        }
        if filledTables.contains(links.table) || emptiedTables.contains(links.table) { return true }
        guard let written = columns[links.table] else { return false }
        return links.form == .join || written.contains(links.key)
    }

    mutating func note(_ step: ProgramStep) {
        switch step.action {
        case .rows(let change): note(change)
        case .schema(.addColumn(let column, let table)): note(column.name, table)
        // A lost table is made without its rows.
        case .schema(.createTable(let table)): emptiedTables.insert(table.name)
        case .schema(.createJoinTable(let table)): emptiedTables.insert(table.name)
        case .schema, .policies: break
        }
    }

    private mutating func note(_ column: String, _ table: String) {
        columns[table, default: []].insert(column)
    }

    private mutating func note(_ change: RowChange) {
        switch change {
        case .update(let table, let values, _): for value in values { note(value.column, table) }
        case .write(let table, let column, _, _, _), .writeOwner(let table, let column, _, _),
            .derive(_, let table, let column, _, _), .assignOrder(let table, _, let column):
            note(column, table)
        case .writeForeignKey(let key, _, _): note(key.column, key.table)
        case .renumberLists(let keys, _): note(keys.key, keys.table)
        case .delete(let table, _), .removeStrays(let table, _), .remove(let table, _, _, _):
            emptiedTables.insert(table)
        case .copy(_, let table, _, _): filledTables.insert(table.name)
        case .insert(_, let table, _): filledTables.insert(table)
        case .fillJoinTable(let table, _), .writeJoinTable(let table, _, _):
            filledTables.insert(table.name)
        case .capture, .add, .markFirst, .keepFirst, .writePrimaryKeys, .forget,
            .countKeys, .renumberEntities, .setKey,
            .replaceRecord:
            break
        }
    }
}

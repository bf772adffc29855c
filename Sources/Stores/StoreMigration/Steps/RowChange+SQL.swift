import SQLiteAccess
import StoreFormat

extension RowChange.Rows {
    /// The condition, with `WHERE`; empty for all rows.
    var sql: String {
        var conditions: [String] = []
        if let numbers { conditions.append("Z_ENT IN (\(numberList(numbers)))") }
        for part in taken {
            conditions.append(
                "(Z_ENT <> \(part.number) OR Z_PK IN (SELECT source FROM temp.\(part.table)))"
            )
        }
        guard !conditions.isEmpty else { return "" }
        let condition = conditions.joined(separator: " AND ")
        return isInverted ? " WHERE NOT (\(condition))" : " WHERE \(condition)"
    }
}

extension RowChange {
    var sql: String {
        switch self {
        case .update(let table, let values, let numbers):
            let list = values.map { "\(quotedIdentifier($0.column)) = \($0.value.sql)" }
            return "UPDATE \(quotedIdentifier(table))\(alias(values)) SET "
                + list.joined(separator: ", ") + Rows(numbers: numbers).sql
        case .delete(let table, let rows):
            return "DELETE FROM \(quotedIdentifier(table))\(rows.sql)"
        case .removeStrays(let table, let numbers):
            return "DELETE FROM \(quotedIdentifier(table)) WHERE \(isStray(among: numbers))"
        case .copy(let old, let table, let values, let rows):
            return "INSERT INTO \(quotedIdentifier(table.name)) "
                + "(\(columnList(values.map(\.column)))) "
                + "SELECT \(values.map(\.value.sql).joined(separator: ", ")) "
                + "FROM \(quotedIdentifier(old))\(alias(values))\(rows.sql)"
        case .capture(let name, let query, _): return "CREATE TEMP TABLE \(name) AS \(query)"
        case .add(let name, let columns, let query, _):
            return "INSERT OR IGNORE INTO \(name) (\(columns.joined(separator: ", "))) \(query)"
        case .markFirst(let objects, let base):
            return "UPDATE \(objects) SET isFirst = 1 WHERE source IN (SELECT min(source) FROM "
                + "\(objects) WHERE destination > \(base) GROUP BY destination)"
        case .insert(let captured, let table, let columns):
            let list = columnList(columns)
            return "INSERT INTO \(quotedIdentifier(table)) (\(list)) "
                + "SELECT \(list) FROM temp.\(captured)"
        case .keepFirst, .fillJoinTable, .writeJoinTable, .writeForeignKey, .writeOwner,
            .assignOrder:
            return linkSQL
        case .derive(_, let table, let column, let value, let numbers):
            return "UPDATE \(quotedIdentifier(table)) AS s SET \(quotedIdentifier(column)) = "
                + "\(value) WHERE Z_ENT IN (\(numberList(numbers)))"
        case .writePrimaryKeys, .countKeys, .renumberEntities, .setKey, .replaceRecord:
            return systemSQL
        case .forget(let table, let condition, _):
            return "DELETE FROM \(quotedIdentifier(table)) WHERE \(condition)"
        case .write(let table, let column, let value, let condition, _):
            return "UPDATE \(quotedIdentifier(table)) AS t SET \(quotedIdentifier(column)) = "
                + "\(value) WHERE \(condition)"
        case .remove(let table, let condition, _, _):
            return "DELETE FROM \(quotedIdentifier(table)) AS t WHERE \(condition)"
        case .renumberLists(let keys, _): return keys.sql
        }
    }

    /// The name of the row, where value expressions use it.
    private func alias(_ values: [Assignment]) -> String {
        values.contains(where: \.value.isComputed) ? " AS s" : ""
    }

    private var systemSQL: String {
        switch self {
        case .writePrimaryKeys(let rows):
            return "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES "
                + rows.joined(separator: ", ")
        case .countKeys(let table, let number):
            let greatest = greatestKeyQuery(in: quotedIdentifier(table))
            return "UPDATE Z_PRIMARYKEY SET Z_MAX = max(Z_MAX, COALESCE((\(greatest)), 0)) "
                + "WHERE Z_ENT = \(number)"
        case .renumberEntities(let table, let column, let value, let numbers):
            return "UPDATE \(quotedIdentifier(table)) SET \(column) = \(value.sql) "
                + "WHERE \(column) IN (\(numberList(numbers)))"
        case .setKey(let number, _, _, let key):
            return "UPDATE Z_PRIMARYKEY SET Z_MAX = \(key) WHERE Z_ENT = \(number)"
        case .replaceRecord(let table, let values):
            return "INSERT OR REPLACE INTO \(quotedIdentifier(table)) "
                + "(\(columnList(values.map(\.column)))) VALUES "
                + "(\(values.map(\.value.sqlLiteral).joined(separator: ", ")))"
        default: return ""
        }
    }
}

extension RowChange.OrderKeys {
    /// The condition that a row is in a list with a missing or repeated order key.
    var wrong: String {
        let (name, key, owner) = (
            quotedIdentifier(table), quotedIdentifier(key), quotedIdentifier(owner)
        )
        return
            "\(owner) IN (SELECT \(owner) FROM \(name) WHERE \(owner) NOT NULL AND \(key) IS NULL "
            + "UNION SELECT \(owner) FROM \(name) WHERE \(owner) NOT NULL GROUP BY \(owner), \(key) "
            + "HAVING count(*) > 1)"
    }

    /// The links whose position among others is unknown, to follow `FROM`.
    var disordered: String {
        let (key, owner) = (quotedIdentifier(key), quotedIdentifier(owner))
        return "(SELECT \(key) AS k, count(*) OVER (PARTITION BY \(owner)) AS list, "
            + "count(*) OVER (PARTITION BY \(owner), \(key)) AS same "
            + "FROM \(quotedIdentifier(table)) WHERE \(owner) NOT NULL) "
            + "WHERE list > 1 AND (k IS NULL OR same > 1)"
    }

    /// The statement that renumbers these lists, in Core Data's increments.
    fileprivate var sql: String {
        let (name, key, owner) = (
            quotedIdentifier(table), quotedIdentifier(key), quotedIdentifier(owner)
        )
        return "UPDATE \(name) SET \(key) = p.place FROM (SELECT \(rowKey) AS id, "
            + "1024 * (1 + row_number() OVER (PARTITION BY \(owner) ORDER BY \(key), \(rowKey))) "
            + "AS place FROM \(name) WHERE \(wrong)) AS p WHERE \(name).\(rowKey) = p.id"
    }
}

extension RowExpression {
    var isCaptured: Bool { contains { if case .captured = $0 { true } else { false } } }

    /// Whether the expression uses the row's name `s`.
    var isComputed: Bool { contains { if case .computed = $0 { true } else { false } } }

    /// Whether a value exists whenever its row does: it is copied, filled in or renumbered, not computed.
    var isMoved: Bool {
        !contains { part in
            switch part {
            case .converted, .unless, .model, .computed, .captured: true
            case .null, .column, .constant, .number, .coalesced, .byEntity, .renumbered,
                .numberIfPresent:
                false
            }
        }
    }

    private func contains(_ isWanted: (RowExpression) -> Bool) -> Bool {
        if isWanted(self) { return true }
        switch self {
        case .converted(let value, _), .coalesced(let value, _), .unless(_, _, let value):
            return value.contains(isWanted)
        case .byEntity(let cases, let otherwise):
            return cases.contains { $0.value.contains(isWanted) }
                || otherwise?.contains(isWanted) == true
        case .null, .column, .constant, .number, .renumbered, .numberIfPresent, .model, .computed,
            .captured:
            return false
        }
    }
}

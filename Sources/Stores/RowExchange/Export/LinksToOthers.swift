import Diagnostics
import Essentials
import ObjectModel
import SQLiteAccess
import StoreFormat

/// A note where rows that are exported have links to rows that are not, as a store cannot be made of them alone.
func linksToOthers(
    _ chosen: ChosenRows,
    _ file: StoreFile
) throws(RowExchangeError) -> [Diagnostic] {
    var (links, required): (Int64, Int64) = (0, 0)
    for entity in chosen.entities {
        guard let (fields, condition) = try chosen.rows(of: entity) else { continue }
        for field in fields.fields {
            let count = try countOfOthers(field, of: fields, condition, chosen)
            guard let sql = count else { continue }
            let found = try reading { () throws(StoreError) in
                try file.connection.value(sql)?.integer ?? 0
            }
            links += found
            if case .toOne(let link) = field, !link.relationship.isOptional { required += found }
        }
    }
    guard links > 0 else { return [] }
    let lead = links == 1 ? "leads" : "lead"
    let next: Wording =
        required > 0
        ? "\(required) of them are required: \(.requiredRows)"
        : "to make a store of the others, \(.advice(.clearLinks)) there"
    return [
        Diagnostic(
            "rows-left-out",
            saying: "\(links.counted("link")) \(lead) to rows that are not exported; \(next)",
            severity: .note,
            at: FileLocation(path: file.path)
        )
    ]
}

/// The statement that counts the links of a property to rows that are not exported; `nil` for an attribute.
private func countOfOthers(
    _ field: RowField,
    of fields: RowFields,
    _ condition: String?,
    _ chosen: ChosenRows
) throws(RowExchangeError) -> String? {
    let own =
        "\(quotedIdentifier(fields.table)) AS t WHERE t.Z_ENT = \(fields.entity.number)"
        + (condition.map { " AND (\($0))" } ?? "")
    switch field {
    case .value, .composite: return nil
    case .toOne(let link):
        guard let target = chosen.layout.table(of: link.destination) else { return nil }
        let key = quotedIdentifier(link.column)
        let all = "SELECT Z_PK FROM \(quotedIdentifier(target.name))"
        let keys = "SELECT t.\(key) AS key FROM \(own) AND t.\(key) IN (\(all))"
        return try others(keys, link.destination, chosen)
    case .toMany(let link):
        let sources = "SELECT t.Z_PK FROM \(own)"
        switch link.storage {
        case .joinTable(let table, let source, let target, _):
            let keys =
                "SELECT \(quotedIdentifier(target)) AS key FROM \(quotedIdentifier(table)) "
                + "WHERE \(quotedIdentifier(source)) IN (\(sources))"
            return try others(keys, link.destination, chosen)
        case .inverseForeignKey(let table, let column, _, _),
            .ownerColumn(let table, let column, _):
            let keys =
                "SELECT Z_PK AS key FROM \(quotedIdentifier(table)) "
                + "WHERE \(quotedIdentifier(column)) IN (\(sources))"
            return try others(keys, link.destination, chosen)
        case .foreignKey, .none: return nil
        }
    }
}

/// Counts keys of rows of an entity that are not exported.
private func others(
    _ keys: String,
    _ destination: String,
    _ chosen: ChosenRows
) throws(RowExchangeError) -> String {
    var exported: [String] = []
    for entity in chosen.entities
    where chosen.layout.isEntity(entity.name, kindOf: destination) {
        guard let (fields, condition) = try chosen.rows(of: entity) else { continue }
        exported.append(
            "SELECT t.Z_PK FROM \(quotedIdentifier(fields.table)) AS t WHERE t.Z_ENT = "
                + "\(entity.number)" + (condition.map { " AND (\($0))" } ?? "")
        )
    }
    let isOther =
        exported.isEmpty ? "1" : "key NOT IN (\(exported.joined(separator: " UNION ALL ")))"
    return "SELECT count(*) FROM (\(keys)) WHERE key NOT NULL AND \(isOther)"
}

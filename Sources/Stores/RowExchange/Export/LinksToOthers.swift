import Diagnostics
import Essentials
import ObjectModel
import SQLiteAccess
import StoreFormat

/// A note if exported rows have links to others, as a store cannot be created from them alone.
func linksToOthers(_ chosen: ChosenRows) throws(StoreError) -> [Diagnostic] {
    let store = chosen.store
    var exported: [EntityRows] = []
    for entity in chosen.entities {
        if let rows = try chosen.rows(of: entity) { exported.append(rows) }
    }
    var (links, required): (Int64, Int64) = (0, 0)
    for rows in exported {
        for field in rows.fields.fields {
            guard let sql = countOfOthers(field, of: rows, exported, in: store.layout) else {
                continue
            }
            let found = try store.connection.value(sql)?.integer ?? 0
            links += found
            if case .toOne(let link) = field, !link.relationship.isOptional { required += found }
        }
    }
    guard links > 0 else { return [] }
    let lead = links == 1 ? "leads" : "lead"
    let next: Wording =
        required > 0
        ? "\(required) of them \(required == 1 ? "is" : "are") required: \(.requiredRows)"
        : "to create a store from it, \(.advice(.clearLinks))"
    return [
        Diagnostic(
            "rows-left-out",
            saying: "\(links.counted("link")) \(lead) to rows outside the export; \(next)",
            severity: .note,
            at: FileLocation(path: store.file.path)
        )
    ]
}

/// The statement that counts the links of a property to rows that are not exported; `nil` for an attribute.
private func countOfOthers(
    _ field: RowField,
    of rows: EntityRows,
    _ exported: [EntityRows],
    in layout: StoreLayout
) -> String? {
    switch field {
    case .value, .composite: return nil
    case .toOne(let link):
        guard let target = layout.table(of: link.destination) else { return nil }
        let key = quotedIdentifier(link.column)
        let all = "SELECT Z_PK FROM \(quotedIdentifier(target.name))"
        let keys = "SELECT t.\(key) AS key \(rows.source) AND t.\(key) IN (\(all))"
        return others(keys, link.destination, exported, in: layout)
    case .toMany(let link):
        let owners = "SELECT t.Z_PK \(rows.source)"
        let links = link.links
        let keys =
            "SELECT \(quotedIdentifier(links.destination)) AS key "
            + "FROM \(quotedIdentifier(links.table)) "
            + "WHERE \(quotedIdentifier(links.source)) IN (\(owners))"
        return others(keys, link.destination, exported, in: layout)
    }
}

private func others(
    _ keys: String,
    _ destination: String,
    _ exported: [EntityRows],
    in layout: StoreLayout
) -> String {
    let sources = exported.filter { layout.isEntity($0.fields.entity.name, kindOf: destination) }
        .map { "SELECT t.Z_PK \($0.source)" }
    let isOther =
        sources.isEmpty ? "1" : "key NOT IN (\(sources.joined(separator: " UNION ALL ")))"
    return "SELECT count(*) FROM (\(keys)) WHERE key NOT NULL AND \(isOther)"
}

import Diagnostics
import Essentials
import ObjectModel
import SQLiteAccess
import StoreFormat

/// Reads the links of a to-many relationship beside its owners, both in the order of the owners' keys.
///
/// It takes one pass, with any indexes of the store; a query for each owner would need an index.
final class LinkCursor {
    private typealias Link = (key: Int64, number: Int64, order: Int64)

    private let statement: Statement
    private let names: EntityNames
    private let isOrdered: Bool
    private var owner: Int64?
    private var isStarted = false
    private var links: [Link] = []

    init(of field: LinkField, to names: EntityNames, in store: LaidOutStore) throws(StoreError) {
        let table = store.layout.table(of: field.destination)?.name ?? ""
        let target = quotedIdentifier(table)
        // The number matters only where references can lead to several entities.
        let number = names.areSeveral ? "t.Z_ENT" : "NULL"
        let links = field.links
        let row = links.form == .join ? "j" : "t"
        func column(_ name: String) -> String { "\(row).\(quotedIdentifier(name))" }
        let (owner, key) = (column(links.source), column(links.destination))
        let order = links.orderKey.map(column)
        var sql = "SELECT \(owner), \(key), \(number), \(order ?? "0")"
        sql += " FROM \(quotedIdentifier(links.table)) AS \(row)"
        if links.form == .join, names.areSeveral {
            sql += " LEFT JOIN \(target) AS t ON t.Z_PK = \(key)"
        }
        sql += " WHERE \(owner) NOT NULL ORDER BY \(owner)"
        // Links to several entities have an order that SQLite does not know.
        if !names.areSeveral {
            sql += (order.map { ", ifnull(CAST(\($0) AS INTEGER), 0)" } ?? "") + ", 2"
        }
        statement = try Statement(sql, on: store.connection)
        self.names = names
        isOrdered = order != nil
    }

    /// Writes the links of an owner, calling `pass` with the text after each; owners must come in ascending order.
    func write(
        of key: Int64,
        after prefix: [UInt8],
        into text: inout JSONText,
        _ pass: (inout JSONText) throws(StoreError) -> Void
    ) throws(StoreError) {
        var isFirst = true
        try forEach(of: key) { link throws(StoreError) in
            if isFirst { text.append(raw: prefix) }
            text.append(isFirst ? "[" : ", ")
            isFirst = false
            names.write(link.key, link.number, into: &text)
            try pass(&text)
        }
        if !isFirst { text.append("]") }
    }

    /// The destinations of an owner's links; owners must come in ascending order.
    func links(of key: Int64) throws(StoreError) -> [(entity: String, key: Int64)] {
        var links: [(entity: String, key: Int64)] = []
        try forEach(of: key) { links.append((names.name(of: $0.number), $0.key)) }
        return links
    }

    private func forEach(
        of key: Int64,
        _ body: (Link) throws(StoreError) -> Void
    ) throws(StoreError) {
        if !isStarted { try advance() }
        while let owner, owner < key { try advance() }
        links.removeAll(keepingCapacity: true)
        while owner == key {
            let link = (statement.integer(1), statement.integer(2), statement.integer(3))
            if names.areSeveral { links.append(link) } else { try body(link) }
            try advance()
        }
        if links.count > 1 { sortLinks() }
        for link in links { try body(link) }
    }

    private func sortLinks() {
        if isOrdered {
            links.sort { ($0.order, $0.key) < ($1.order, $1.key) }
        } else {
            links.sort { (names.rank(of: $0.number), $0.key) < (names.rank(of: $1.number), $1.key) }
        }
    }

    private func advance() throws(StoreError) {
        isStarted = true
        owner = try statement.step() ? statement.integer(0) : nil
    }
}

/// A note if exported rows have links to others, as a store cannot be created from them alone.
func linksToOthers(_ chosen: ChosenRows) throws(StoreError) -> [Diagnostic] {
    let store = chosen.store
    var exported: [EntityRows] = []
    for entity in chosen.entities {
        if let rows = try chosen.rows(of: entity) { exported.append(rows) }
    }
    var (links, required): (Int64, Int64) = (0, 0)
    for rows in exported {
        for link in rows.fields.fields.compactMap(\.link) {
            guard let sql = countOfOthers(link, of: rows, exported, in: store.layout) else {
                continue
            }
            let found = try store.connection.value(sql)?.integer ?? 0
            links += found
            if link.links.form == .key, !link.relationship.isOptional { required += found }
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

/// The statement that counts links to rows that are not exported; a key that leads to no row is none.
private func countOfOthers(
    _ link: LinkField,
    of rows: EntityRows,
    _ exported: [EntityRows],
    in layout: StoreLayout
) -> String? {
    guard let target = layout.table(of: link.destination) else { return nil }
    let (links, key) = (link.links, quotedIdentifier(link.links.destination))
    let found = "key IN (SELECT Z_PK FROM \(quotedIdentifier(target.name)))"
    let sources = exported.filter {
        layout.isEntity($0.fields.entity.name, kindOf: link.destination)
    }.map { "SELECT t.Z_PK \($0.source)" }
    let isOther = sources.isEmpty ? "1" : "key NOT IN (\(sources.joined(separator: " UNION ALL ")))"
    return "SELECT count(*) FROM (SELECT \(key) AS key FROM \(quotedIdentifier(links.table)) "
        + "WHERE \(quotedIdentifier(links.source)) IN (SELECT t.Z_PK \(rows.source))) "
        + "WHERE \(links.form == .key ? found : "key NOT NULL") AND \(isOther)"
}

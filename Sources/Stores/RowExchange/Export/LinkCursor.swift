import ObjectModel
import SQLiteAccess
import StoreFormat

/// Reads the links of a to-many relationship beside its owners, both in the order of the owners' keys.
///
/// It takes one pass, whatever indexes the store has; a query for each owner would need an index.
final class LinkCursor {
    private struct Link {
        var key: Int64
        var number: Int64
        var order: Int64
    }

    private let statement: Statement
    private let names: EntityNames
    private let isOrdered: Bool
    private var owner: Int64?
    private var isStarted = false
    private var links: [Link] = []

    init(
        of field: ToManyField,
        to names: EntityNames,
        in layout: StoreLayout,
        on connection: SQLiteConnection
    ) throws(StoreError) {
        let table = layout.table(of: field.destination)?.name ?? ""
        let target = quotedIdentifier(table)
        // The number matters only where references can lead to several entities.
        let number = names.areSeveral ? "t.Z_ENT" : "NULL"
        let (owner, order): (String, String?)
        var sql: String
        switch field.storage {
        case .inverseForeignKey(let table, let column, _, let orderKey),
            .ownerColumn(let table, let column, let orderKey):
            (owner, order) = ("t." + quotedIdentifier(column), orderKey)
            sql = "SELECT \(owner), t.Z_PK, \(number)"
            sql += order.map { ", t." + quotedIdentifier($0) } ?? ""
            sql += " FROM \(quotedIdentifier(table)) AS t"
        case .joinTable(let name, let source, let destination, let orderKey):
            let key = "j." + quotedIdentifier(destination)
            (owner, order) = ("j." + quotedIdentifier(source), orderKey)
            sql = "SELECT \(owner), \(key), \(number)"
            sql += order.map { ", j." + quotedIdentifier($0) } ?? ""
            sql += " FROM \(quotedIdentifier(name)) AS j"
            if names.areSeveral { sql += " LEFT JOIN \(target) AS t ON t.Z_PK = \(key)" }
        case .foreignKey, .none:
            (owner, order, sql) = ("NULL", nil, "SELECT NULL, NULL, NULL")
        }
        statement = try Statement(
            sql + " WHERE \(owner) NOT NULL ORDER BY \(owner)",
            on: connection
        )
        self.names = names
        isOrdered = order != nil
    }

    /// Writes the links of an owner; owners must come in ascending order.
    func write(of key: Int64, after prefix: [UInt8], into text: inout JSONText) throws(StoreError) {
        try gather(of: key)
        guard !links.isEmpty else { return }
        text.append(raw: prefix)
        for (index, link) in links.enumerated() {
            text.append(index == 0 ? "[" : ", ")
            names.write(link.key, link.number, into: &text)
        }
        text.append("]")
    }

    /// The destinations of an owner's links; owners must come in ascending order.
    func links(of key: Int64) throws(StoreError) -> [(entity: String, key: Int64)] {
        try gather(of: key)
        return links.map { (names.name(of: $0.number), $0.key) }
    }

    private func gather(of key: Int64) throws(StoreError) {
        if !isStarted { try advance() }
        while let owner, owner < key { try advance() }
        links.removeAll(keepingCapacity: true)
        while owner == key {
            links.append(
                Link(
                    key: statement.integer(1),
                    number: statement.integer(2),
                    order: isOrdered ? statement.integer(3) : 0
                )
            )
            try advance()
        }
        sortLinks()
    }

    private func advance() throws(StoreError) {
        isStarted = true
        owner = try statement.step() ? statement.integer(0) : nil
    }

    private func sortLinks() {
        guard links.count > 1 else { return }
        if isOrdered {
            links.sort { ($0.order, $0.key) < ($1.order, $1.key) }
        } else if names.areSeveral {
            links.sort {
                (names.rank(of: $0.number), $0.key) < (names.rank(of: $1.number), $1.key)
            }
        } else {
            links.sort { $0.key < $1.key }
        }
    }
}

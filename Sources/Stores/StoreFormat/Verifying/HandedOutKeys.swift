import Diagnostics
import ObjectModel
package import SQLiteAccess

/// A greater value is damage, not a key: Core Data counts up from 1.
package let keyLimit: Int64 = 1 << 52

/// The query of the greatest key in a table, in quotes.
package func greatestKeyQuery(in table: String) -> String {
    "SELECT max(Z_PK) FROM \(table) WHERE Z_PK < \(keyLimit)"
}

extension LaidOut {
    /// Finds rows with keys beyond the limit, and the entities for whose new objects no keys are left.
    func keyFindings(
        _ rows: [PrimaryKeyRow],
        on connection: SQLiteConnection
    ) throws(StoreError) -> [Diagnostic] {
        var findings: [Diagnostic] = []
        for table in layout.tables where has(table.name, ["Z_PK"]) {
            // The end of the table is read faster than an index.
            let greatest = try connection.value(
                "SELECT max(Z_PK) FROM \(quotedIdentifier(table.name))"
            )
            guard let greatest = greatest?.integer, greatest >= keyLimit else { continue }
            let found = try connection.affected(table.name, where: "Z_PK >= \(keyLimit)")
            let message = "the key is too great: Core Data counts up from 1"
            findings +=
                found.map {
                    [Diagnostic(.excessiveKey, message, entity: table.rootEntity, rows: $0)]
                } ?? []
        }
        return findings
            + rows.filter { $0.maximumKey >= keyLimit }.map {
                let message = "Z_MAX is \($0.maximumKey), and no keys are left for new objects"
                return Diagnostic(.noKeysLeft, message, entity: $0.name)
            }
    }
}

/// The greatest key that a store still mentions, by entity: with less in `Z_MAX` a new object gets another's key.
package struct HandedOutKey: Sendable, Hashable {
    /// The number of the root entity, whose row of `Z_PRIMARYKEY` counts.
    package var number: Int64
    package var entity: String
    package var key: Int64
    /// Where it was found, such as `ACHANGE.ZENTITYPK`.
    package var evidence: String
}

/// Finds the greatest key of each root entity in rows, links, persistent history and CloudKit's tables, and that of the
/// tables of history and CloudKit themselves; entities without any have none.
package func handedOutKeys(
    _ layout: StoreLayout,
    _ columns: [String: Set<String>],
    _ rows: [PrimaryKeyRow],
    on connection: SQLiteConnection
) throws(StoreError) -> [HandedOutKey] {
    var search = KeySearch(layout: layout, columns: columns, connection: connection)
    for table in layout.tables {
        guard let number = layout.number(of: table.rootEntity) else { continue }
        try search.look(at: table.name, "Z_PK", for: number)
    }
    try search.lookAtLinks()
    try search.lookAtRecords(in: "ACHANGE", "ZENTITY", "ZENTITYPK")
    for table in columns.keys.sorted() where table.hasPrefix("ANSCK") {
        try search.lookAtRecords(in: table, "ZENTITYID", "ZENTITYPK")
    }
    // The entities of history and of mirroring have numbers of their own, and tables that begin with an A.
    for row in rows where row.number >= HistoryLayout.firstNumber {
        try search.look(at: "A" + row.name.uppercased(), "Z_PK", for: Int(row.number))
        guard row.name == "TRANSACTION" else { continue }
        try search.look(at: "ACHANGE", "ZTRANSACTIONID", for: Int(row.number))
    }
    let names = Dictionary(
        firstOf: layout.entities.map { (Int64($0.number), $0.name) }
            + rows.map { ($0.number, $0.name) }
    )
    return search.greatest.sorted { $0.key < $1.key }.map { number, found in
        HandedOutKey(
            number: Int64(number),
            entity: names[Int64(number)] ?? "",
            key: found.key,
            evidence: found.evidence
        )
    }
}

private struct KeySearch {
    let layout: StoreLayout
    let columns: [String: Set<String>]
    let connection: SQLiteConnection
    var greatest: [Int: (key: Int64, evidence: String)] = [:]

    mutating func look(at table: String, _ column: String, for number: Int) throws(StoreError) {
        guard columns[table]?.contains(column) == true else { return }
        let name = quotedIdentifier(column)
        let sql = "SELECT max(\(name)) FROM \(quotedIdentifier(table))"
        note(try connection.value(sql)?.integer, for: number, "\(table).\(column)")
    }

    private mutating func note(_ key: Int64?, for number: Int, _ evidence: String) {
        guard let key, key > greatest[number]?.key ?? 0, key < keyLimit else { return }
        greatest[number] = (key, evidence)
    }

    /// Collects keys from the links, by the root entities that they lead to; broken links count too.
    mutating func lookAtLinks() throws(StoreError) {
        for (reference, relationship) in layout.graph.storedRelationships {
            guard let links = layout.links(of: reference), links.form != .inverseKey else {
                continue
            }
            if links.form != .key, let root = rootNumber(of: reference.entity) {
                try look(at: links.table, links.source, for: root)
            }
            let root = relationship.destinationEntity.flatMap(rootNumber)
            if links.form != .owner, let root {
                try look(at: links.table, links.destination, for: root)
            }
        }
    }

    private func rootNumber(of entity: String) -> Int? {
        layout.table(of: entity).flatMap { layout.number(of: $0.rootEntity) }
    }

    /// Collects keys from a table that names objects by the number of their entity and their key.
    mutating func lookAtRecords(
        in table: String,
        _ entityColumn: String,
        _ keyColumn: String
    ) throws(StoreError) {
        guard columns[table]?.isSuperset(of: [entityColumn, keyColumn]) == true else { return }
        let name = quotedIdentifier(table)
        let sql = "SELECT \(entityColumn), max(\(keyColumn)) FROM \(name) GROUP BY \(entityColumn)"
        let numbers = Dictionary(firstOf: layout.entities.map { (Int64($0.number), $0.name) })
        for row in try connection.rows(sql) {
            guard let root = row[0].integer.flatMap({ numbers[$0] }).flatMap(rootNumber) else {
                continue
            }
            note(row[1].integer, for: root, "\(table).\(keyColumn)")
        }
    }
}

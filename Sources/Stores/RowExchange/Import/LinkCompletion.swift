import Diagnostics
import ObjectModel
import SQLiteAccess
import StoreFormat

/// A fault of a text's links that shows only when all rows exist.
struct LinkFault {
    var rule: RuleID
    var message: String
    var property: PropertyReference
    var table: String
    var key: Int64
    var place: (line: Int, column: Int)?
}

/// Brings the two sides of each relationship together when all rows are written.
struct LinkCompletion {
    let targets: ImportTargets
    let layout: StoreLayout
    let connection: SQLiteConnection

    /// Writes the links of both sides; returns the first fault, or all missing required links.
    func complete(findingGaps: Bool) throws(StoreError) -> [LinkFault] {
        if let fault = try completeLinks() { return [fault] }
        return try closeGaps(findingGaps: findingGaps)
    }

    private func completeLinks() throws(StoreError) -> LinkFault? {
        var joins: [String: [LinkTable]] = [:]
        for links in targets.links {
            let stored = links.field.links
            guard stored.form != .join else {
                joins[stored.table, default: []].append(links)
                continue
            }
            if stored.form == .inverseKey, let fault = try contradiction(links) { return fault }
            try fill(links)
        }
        for join in layout.joinTables {
            if let fault = try complete(join, joins[join.name] ?? []) { return fault }
        }
        return try completePairs()
    }

    private func contradiction(_ links: LinkTable) throws(StoreError) -> LinkFault? {
        let (table, column) = links.keyColumn
        let other = """
            SELECT s.member FROM \(links.name) AS s JOIN \(table) AS m ON m.Z_PK = s.member \
            WHERE m.\(column) <> s.owner LIMIT 1
            """
        let unlisted = """
            SELECT m.Z_PK FROM \(table) AS m LEFT JOIN \(links.name) AS s ON s.member = m.Z_PK \
            WHERE s.member IS NULL AND m.\(column) NOT NULL \
            AND (m.\(column) IN (SELECT owner FROM \(links.name)) \
            OR m.\(column) IN (SELECT owner FROM \(links.emptyName))) LIMIT 1
            """
        for sql in [other, unlisted] {
            guard let member = try connection.value(sql)?.integer else { continue }
            let inverse = links.field.relationship.inverseName ?? ""
            let message = "'\(inverse)' contradicts '\(links.property)'"
            return LinkFault(
                rule: .contradiction,
                message: message,
                property: PropertyReference(entity: links.field.destination, name: inverse),
                table: links.field.links.table,
                key: member
            )
        }
        return nil
    }

    private func fill(_ links: LinkTable) throws(StoreError) {
        let (table, column) = links.keyColumn
        let order = links.field.links.orderKey.map(quotedIdentifier)
        var changes = ["\(column) = s.owner"]
        if let entityColumn = links.field.links.entityColumn.map(quotedIdentifier) {
            let owners = quotedIdentifier(layout.table(of: links.property.entity)?.name ?? "")
            let number = "(SELECT o.Z_ENT FROM \(owners) AS o WHERE o.Z_PK = s.owner)"
            changes.append("\(entityColumn) = \(number)")
        }
        if let order { changes.append("\(order) = s.position") }
        let isNeeded = order == nil ? " AND m.\(column) IS NULL" : ""
        try connection.execute(
            "UPDATE \(table) AS m SET \(changes.joined(separator: ", ")) FROM \(links.name) AS s "
                + "WHERE m.Z_PK = s.member\(isNeeded)"
        )
        guard let order else { return }
        // Where no owner gives an order, that of the keys will do.
        try connection.execute(
            """
            UPDATE \(table) AS m SET \(order) = x.position FROM (SELECT Z_PK, \
            1024 + 1024 * ROW_NUMBER() OVER (PARTITION BY \(column) ORDER BY Z_PK) AS position \
            FROM \(table) WHERE \(column) NOT NULL AND \(order) IS NULL) AS x \
            WHERE m.Z_PK = x.Z_PK
            """
        )
    }

    private func complete(_ join: JoinTable, _ sides: [LinkTable]) throws(StoreError) -> LinkFault?
    {
        let forward = sides.first { $0.property == join.second.leadsThrough }
        let backward = sides.first {
            $0.property == join.first.leadsThrough && $0.index != forward?.index
        }
        for (side, other) in [(forward, backward), (backward, forward)] {
            guard let side, let other else { continue }
            let sql = """
                SELECT s.member FROM \(side.name) AS s LEFT JOIN \(other.name) AS r \
                ON r.owner = s.member AND r.member = s.owner WHERE r.owner IS NULL \
                AND (s.member IN (SELECT owner FROM \(other.name)) \
                OR s.member IN (SELECT owner FROM \(other.emptyName))) LIMIT 1
                """
            guard let key = try connection.value(sql)?.integer else { continue }
            return LinkFault(
                rule: .contradiction,
                message: "'\(other.property.name)' does not list the links of "
                    + "'\(side.property)'",
                property: other.property,
                table: layout.table(of: other.property.entity)?.name ?? "",
                key: key
            )
        }
        try insert(join, forward: forward, backward: backward)
        return nil
    }

    /// Writes the rows of a join table in the order of its key.
    private func insert(
        _ join: JoinTable,
        forward: LinkTable?,
        backward: LinkTable?
    ) throws(StoreError) {
        var parts: [String] = []
        if let forward {
            parts.append(
                "SELECT owner AS a, member AS b, position AS f, NULL AS g FROM \(forward.name)"
            )
            if backward == nil, join.first.leadsThrough == join.second.leadsThrough {
                parts.append("SELECT member, owner, NULL, NULL FROM \(forward.name)")
            }
        }
        if let backward {
            parts.append(
                "SELECT member AS a, owner AS b, NULL AS f, position AS g FROM \(backward.name)"
            )
        }
        guard !parts.isEmpty else { return }
        var values = ["a", "b"]
        if join.first.orderKey != nil { values.append(Self.position("g", "b", "a")) }
        if join.second.orderKey != nil { values.append(Self.position("f", "a", "b")) }
        let columns = join.columnNames.map(quotedIdentifier).joined(separator: ", ")
        try connection.execute(
            "INSERT INTO \(quotedIdentifier(join.name)) (\(columns)) SELECT "
                + "\(values.joined(separator: ", ")) FROM (SELECT a, b, MAX(f) AS f, MAX(g) AS g "
                + "FROM (\(parts.joined(separator: " UNION ALL "))) GROUP BY a, b) ORDER BY a, b"
        )
    }

    private static func position(_ listed: String, _ owner: String, _ member: String) -> String {
        "1024 + 1024 * ROW_NUMBER() OVER (PARTITION BY \(owner) "
            + "ORDER BY \(listed) IS NULL, \(listed), \(member))"
    }

    /// Both sides of a one-to-one relationship have columns.
    private func completePairs() throws(StoreError) -> LinkFault? {
        let graph = targets.graph
        for (side, relationship) in graph.storedRelationships where !relationship.isToMany {
            guard let other = graph.inverse(of: side), graph.inverse(of: other) == side,
                graph.relationship(other)?.isToMany == false
            else { continue }
            if let fault = try complete(side, from: other) { return fault }
        }
        return nil
    }

    private func complete(
        _ side: PropertyReference,
        from other: PropertyReference
    ) throws(StoreError) -> LinkFault? {
        guard let links = layout.links(of: side, as: .key),
            let given = layout.links(of: other, as: .key)
        else { return nil }
        let (table, source) = (quotedIdentifier(links.table), quotedIdentifier(given.table))
        let (key, back) = (quotedIdentifier(links.key), quotedIdentifier(given.key))
        var changes = ["\(key) = s.Z_PK"]
        if let column = links.entityColumn {
            changes.append("\(quotedIdentifier(column)) = s.Z_ENT")
        }
        try connection.execute(
            "UPDATE \(table) AS m SET \(changes.joined(separator: ", ")) "
                + "FROM \(source) AS s WHERE m.Z_PK = s.\(back) AND m.\(key) IS NULL"
        )
        let sql = """
            SELECT s.Z_PK FROM \(source) AS s \
            JOIN \(table) AS m ON m.Z_PK = s.\(back) \
            WHERE m.\(key) <> s.Z_PK LIMIT 1
            """
        return try connection.value(sql)?.integer.map { row in
            LinkFault(
                rule: .contradiction,
                message: "'\(side.name)' of the destination leads to another row",
                property: other,
                table: given.table,
                key: row
            )
        }
    }

    /// Computes omitted derived values, and finds missing required links.
    private func closeGaps(findingGaps: Bool) throws(StoreError) -> [LinkFault] {
        var faults: [LinkFault] = []
        for (index, gap) in targets.gaps.enumerated() {
            let rows = "temp.gaps AS g JOIN \(quotedIdentifier(gap.table)) AS m ON m.Z_PK = g.key"
            let missing: String
            switch gap.kind {
            case .toOne(let column): missing = "m.\(quotedIdentifier(column)) IS NULL"
            case .toMany(let table, let column):
                let key = quotedIdentifier(column)
                missing =
                    "g.key NOT IN (SELECT \(key) FROM \(quotedIdentifier(table)) "
                    + "WHERE \(key) NOT NULL)"
            case .derived(let column, let derivation):
                try compute(gap, index, column, derivation)
                continue
            }
            guard findingGaps else { continue }
            let sql =
                "SELECT g.key, g.line, g.place FROM \(rows) WHERE g.gap = \(index) AND \(missing) "
                + "ORDER BY g.line, g.place LIMIT \(RowInserter.gapLimit)"
            for row in try connection.rows(sql) {
                guard let key = row[0].integer, let line = row[1].integer,
                    let column = row[2].integer
                else { continue }
                faults.append(fault(gap, key, (Int(line), Int(column))))
            }
        }
        return faults
    }

    private func fault(_ gap: Gap, _ key: Int64, _ place: (line: Int, column: Int)) -> LinkFault {
        let relationship = targets.graph.relationship(gap.property)
        let target = relationship?.destinationEntity ?? "Entity"
        let link = "\"\(target)/p1\""
        let value = relationship?.isToMany == true ? "[\(link)]" : link
        return LinkFault(
            rule: .missingValue,
            message: "give a destination; the relationship is required: "
                + "add \"\(gap.property.name)\": \(value)",
            property: gap.property,
            table: gap.table,
            key: key,
            place: place
        )
    }

    private func compute(
        _ gap: Gap,
        _ index: Int,
        _ column: String,
        _ derivation: Attribute.Derivation
    ) throws(StoreError) {
        let scope = RowScope(row: "t", entity: gap.property.entity)
        guard let value = try? derivedValue(derivation, of: scope, layout) else { return }
        try connection.execute(
            "UPDATE \(quotedIdentifier(gap.table)) AS t SET \(quotedIdentifier(column)) = \(value) "
                + "WHERE t.Z_PK IN (SELECT key FROM temp.gaps WHERE gap = \(index))"
        )
    }
}

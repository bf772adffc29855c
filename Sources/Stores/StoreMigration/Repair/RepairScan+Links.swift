import Diagnostics
import Essentials
import ObjectModel
import SQLiteAccess
import StoreFormat

extension RepairScan {
    private var storedLinks: [KeyLinks] {
        graph.storedRelationships.compactMap { keyLinks(of: $1, in: $0.entity) }
    }

    /// Writes links on the side that lacks them, the entity numbers beside them, and order keys.
    mutating func scanLinks() throws(StoreError) {
        let links = storedLinks
        for link in links { try restore(link) }
        for join in layout.joinTables where schema.tablesWithoutKey.contains(join.name) {
            try removeRepeated(join)
            restoreKey(of: join)
        }
        // Entity numbers are checked once the links are restored.
        guard steps.isEmpty else { return }
        for link in links { try restoreEntities(beside: link) }
        for link in links {
            guard let key = link.links.orderKey, let list = graph.inverse(of: link.property) else {
                continue
            }
            try renumber(link.table, key, of: link.column, "Z_PK", list)
        }
        for (reference, _) in graph.storedRelationships {
            guard let links = layout.links(of: reference), let key = links.orderKey,
                [.join, .owner].contains(links.form)
            else { continue }
            try renumber(links.table, key, of: links.source, links.rowKey, reference)
        }
    }

    /// Restores the missing or dangling links of a one-to-one relationship, if exactly one object there claims them.
    private mutating func restore(_ link: KeyLinks) throws(StoreError) {
        guard let (inverse, owner) = graph.inverse(of: link.relationship), !inverse.isToMany,
            let back = layout.links(inverse.name, of: owner.name, as: .key),
            has(back.table, ["Z_PK", "Z_ENT", back.key])
        else { return }
        let (other, otherKey) = (quotedIdentifier(back.table), quotedIdentifier(back.key))
        let name = quotedIdentifier(link.table)
        let partners =
            "FROM \(other) AS d WHERE d.\(otherKey) = t.Z_PK "
            + "AND \(isKind(of: link.destination, row: "d"))"
        // A link to an object that another one has, and which refers back to that one, is wrong.
        let isTaken =
            "EXISTS (SELECT 1 FROM \(other) AS d JOIN \(name) AS o "
            + "ON o.Z_PK = d.\(otherKey) WHERE d.Z_PK = \(link.key) "
            + "AND o.\(quotedIdentifier(link.column)) = d.Z_PK AND o.Z_PK <> t.Z_PK)"
        let condition =
            "\(link.scope) AND (\(link.key) IS NULL OR \(link.isMissing) OR \(isTaken)) "
            + "AND (SELECT count(*) \(partners)) = 1"
        let partner = "(SELECT d.Z_PK \(partners))"
        guard let rows = try someRows(link.table, where: condition) else { return }
        let links = "\(rows.counted("link")) of '\(link.property)'"
        let what = "write \(links) that '\(owner.name).\(inverse.name)' has"
        write(partner, to: link.column, of: link.table, where: condition, what)
    }

    /// Removes duplicate links, which carry no information.
    private mutating func removeRepeated(_ join: JoinTable) throws(StoreError) {
        guard has(join.name, [join.first.name, join.second.name]) else { return }
        guard let rows = try someRows(join.name, where: join.isRepeated) else { return }
        let links = "\(rows.counted("link")) of '\(join.namingRelationship)'"
        let what = "remove \(links) that \(rows == 1 ? "is" : "are") duplicated"
        add(.remove(table: join.name, where: join.isRepeated, count: rows, what: what))
    }

    /// Rebuilds a join table that lacks its primary key, once it has no duplicate links.
    private mutating func restoreKey(of join: JoinTable) {
        let columns = join.columnNames
        guard has(join.name, columns) else { return }
        let naming = join.namingRelationship
        let own = (schema.columns[join.name] ?? []).filter { !columns.contains($0) }
        guard own.isEmpty else {
            return refuse(
                "the table \(join.name) lacks its primary key, and has additional columns: "
                    + own.joined(separator: ", "),
                "move these columns into another table; then repair rebuilds it",
                FindingKind(.missingPrimaryKey, naming.entity, naming.name)
            )
        }
        let kept = "momtool_\(join.name)"
        let query = "SELECT \(columnList(columns)) FROM \(quotedIdentifier(join.name))"
        add(.capture(quotedIdentifier(kept), query: query, what: "the links of \(join.name)"))
        add(.dropTable(join.name))
        add(.createJoinTable(join))
        add(.insert(captured: quotedIdentifier(kept), into: join.name, columns: columns))
        add(.dropTable(kept))
        let indexes = Set(layout.indexes.map(\.name))
        for index in schema.indexes where index.table == join.name && !indexes.contains(index.name)
        { add(.restore(index)) }
    }

    private mutating func restoreEntities(beside link: KeyLinks) throws(StoreError) {
        guard let column = link.links.entityColumn else { return }
        let condition = link.isWrong(entityColumn: column)
        let target = quotedIdentifier(link.target)
        let actual = "(SELECT d.Z_ENT FROM \(target) AS d WHERE d.Z_PK = \(link.key))"
        guard let rows = try someRows(link.table, where: condition) else { return }
        let what = "write the entity of \(rows.counted("destination")) of '\(link.property)'"
        write(actual, to: column, of: link.table, where: condition, what)
    }

    /// Renumbers the links of lists whose order keys are missing or not unique; these have lost their order.
    private mutating func renumber(
        _ table: String,
        _ key: String,
        of owner: String,
        _ rowKey: String,
        _ reference: PropertyReference
    ) throws(StoreError) {
        guard has(table, [key, owner]) else { return }
        let keys = RowChange.OrderKeys(table: table, key: key, owner: owner, rowKey: rowKey)
        guard try count(table, where: keys.wrong) > 0 else { return }
        let links = try count(of: keys.disordered)
        add(
            .renumberLists(keys, what: "number the links of '\(reference)' again"),
            lost: links > 0 ? "the order of \(links.counted("link")) of '\(reference)'" : nil
        )
    }

    private func isMissing(_ key: String, _ target: String) -> String {
        "(\(key) NOT NULL AND NOT EXISTS (SELECT 1 FROM \(quotedIdentifier(target)) AS d "
            + "WHERE d.Z_PK = \(key)))"
    }

    /// Removes dangling links if that is allowed, once everything else is restored.
    mutating func scanLostLinks() throws(StoreError) {
        for link in storedLinks {
            try askAboutOtherEntity(link)
            guard link.relationship.isOptional else {
                try askAboutRequired(link)
                continue
            }
            let condition = "\(link.scope) AND \(link.isMissing)"
            try clear(link.property, in: link.table, condition, column: link.column)
        }
        try scanLostOwners()
        for join in layout.joinTables { try scanLostLinks(of: join) }
    }

    /// A link to an existing object is never removed, even if its entity is wrong.
    private mutating func askAboutOtherEntity(_ link: KeyLinks) throws(StoreError) {
        let condition = link.leadsToOtherEntity
        guard let rows = try someRows(link.table, where: condition) else { return }
        let list = try examples(link.table, condition)
        refuseLinks(
            rows,
            of: link.property,
            "to an object that is not of '\(link.destination)'\(list)",
            "restore the store from a backup, or correct Z_ENT of the object, or the link, in SQL",
            []
        )
    }

    private mutating func scanLostOwners() throws(StoreError) {
        for (reference, _) in graph.storedRelationships {
            guard let links = layout.links(of: reference), links.form == .owner,
                has(links.table, ["Z_PK", links.key]),
                let target = layout.table(of: reference.entity), has(target.name, ["Z_PK"])
            else { continue }
            let condition = isMissing("t." + quotedIdentifier(links.key), target.name)
            try clear(reference, in: links.table, condition, column: links.key)
        }
    }

    private mutating func scanLostLinks(of join: JoinTable) throws(StoreError) {
        var conditions: [String] = []
        for side in [join.first, join.second] {
            guard has(join.name, [side.name]), let target = layout.table(of: side.entity),
                has(target.name, ["Z_PK"])
            else { return }
            let key = "t." + quotedIdentifier(side.name)
            conditions.append(isMissing(key, target.name))
            conditions.append("\(key) IS NULL")
        }
        let condition = "(\(conditions.joined(separator: " OR ")))"
        try clear(join.namingRelationship, in: join.name, condition, key: "rowid")
    }

    /// Removes links if that is allowed, otherwise asks for permission; without a column the rows are the links.
    private mutating func clear(
        _ property: PropertyReference,
        in table: String,
        _ condition: String,
        column: String? = nil,
        key: String = "Z_PK"
    ) throws(StoreError) {
        guard let rows = try someRows(table, where: condition) else { return }
        guard !options.decisions.contains(.clearLinks) else {
            let lead = rows == 1 ? "leads" : "lead"
            let what = "remove \(rows.counted("link")) of '\(property)' that \(lead) to no object"
            return add(
                column.map {
                    .write(table: table, column: $0, value: "NULL", where: condition, what: what)
                } ?? .remove(table: table, where: condition, count: rows, what: what)
            )
        }
        let list = try examples(table, condition, key: key)
        let kind = try column.map { column throws(StoreError) in
            try wordsOfKind(column, in: table, where: condition)
        }
        let problem = "to no object\(kind ?? "")\(list)"
        refuseLinks(rows, of: property, problem, "\(.advice(.clearLinks))", [.clearLinks])
    }

    mutating func refuseLinks(
        _ rows: Int64,
        of property: PropertyReference,
        _ problem: String,
        _ remedy: Wording,
        _ advice: [Advice]
    ) {
        let links = "\(rows.counted("link")) of '\(property)'"
        let findings = [property, graph.inverse(of: property)].compactMap(\.self).flatMap { end in
            ([.wrongType] + Damage.lostLinkRules).map { FindingKind($0, end.entity, end.name) }
        }
        refuse(
            "\(links) \(rows == 1 ? "leads" : "lead") \(problem)",
            remedy,
            advice: advice,
            findings
        )
    }
}

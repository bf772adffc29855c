import Diagnostics
import Essentials
import ObjectModel
import SQLiteAccess
import StoreFormat

extension RepairScan {
    /// Deletes objects without an owner, of the named entities, as a cascading delete rule would have done.
    ///
    /// What such an object owned is removed with it, round by round: its objects then refer to a missing owner.
    mutating func scanOwnerless() throws(StoreError) {
        guard !options.ownerlessEntities.isEmpty else { return }
        let ownership = Ownership(of: self)
        for name in options.ownerlessEntities where ownership.owners(of: name).isEmpty {
            let isBelow = layout.entities.contains {
                layout.isEntity($0.name, kindOf: name) && !ownership.owners(of: $0.name).isEmpty
            }
            guard !isBelow else { continue }
            refuse(
                "objects of '\(name)' cannot be ownerless: no relationship deletes them with another object",
                "name an entity that is the destination of a relationship with the delete rule Cascade"
            )
        }
        let owned = ownedEntities()
        for entity in layout.entities where !entity.isAbstract {
            guard let table = layout.table(of: entity.name), has(table.name, ["Z_PK", "Z_ENT"])
            else { continue }
            let isNamed = options.ownerlessEntities.contains {
                layout.isEntity(entity.name, kindOf: $0)
            }
            guard isNamed || owned.contains(entity.name) else { continue }
            let kinds = isNamed ? [true, false] : [true]
            let conditions = kinds.compactMap { ownership.isOwnerless(entity.name, leftBehind: $0) }
            guard !conditions.isEmpty else { continue }
            let condition = conditions.map { "(\($0))" }.joined(separator: " OR ")
            guard let rows = try someRows(table.name, where: condition) else { continue }
            try delete(rows, of: entity.name, in: table.name, where: condition)
        }
    }

    private func ownedEntities() -> Set<String> {
        var owned: Set<String> = []
        var open = options.ownerlessEntities.flatMap(hierarchy)
        while let name = open.popLast() {
            guard owned.insert(name).inserted, let entity = graph.entity(name) else { continue }
            for relationship in graph.lineage(of: entity).flatMap(\.relationships)
            where relationship.deleteRule == .cascade {
                open += relationship.destinationEntity.map(hierarchy) ?? []
            }
        }
        return owned
    }

    private func hierarchy(_ name: String) -> [String] {
        layout.entities.map(\.name).filter { layout.isEntity($0, kindOf: name) }
    }

    /// Deletes rows with the links to them, and what they own by links of their own.
    private mutating func delete(
        _ rows: Int64,
        of entity: String,
        in table: String,
        where condition: String
    ) throws(StoreError) {
        let name = quotedIdentifier(table)
        // Those of earlier rounds still exist.
        let round = try count(of: "temp.sqlite_master")
        let keys = "momtool_ownerless_\(round)_\(layout.number(of: entity) ?? 0)"
        let all = "(SELECT t.Z_PK FROM \(name) AS t WHERE \(condition))"
        let chosen = "(SELECT key FROM temp.\(keys))"
        let what = rows.counted("object")
        var changes: [RowChange] = []
        for link in linksAway(from: entity) {
            let column = "t." + quotedIdentifier(link.column)
            guard let used = try someRows(link.table, where: "\(column) IN \(all)") else {
                continue
            }
            guard !link.blocks else {
                return refuse(
                    "\(what) of '\(entity)' cannot be deleted: '\(link.name)' of \(used.counted("object")) needs them",
                    "delete these in the app, or in SQL, first"
                )
            }
            let (table, isCut) = (link.table, "\(column) IN \(chosen)")
            let cut = "remove \(used.counted("link")) of '\(link.name)' to deleted objects"
            changes.append(
                link.isJoin
                    ? .remove(table: table, where: isCut, count: used, what: cut)
                    : .write(
                        table: table,
                        column: link.column,
                        value: "NULL",
                        where: isCut,
                        what: cut
                    )
            )
        }
        let query = "SELECT t.Z_PK AS key FROM \(name) AS t WHERE \(condition)"
        let known = "the keys of \(what) of '\(entity)' without an owner"
        add(.capture(keys, query: query, what: known))
        for change in changes { add(change) }
        let mirrored =
            schema.hasTable("ANSCKRECORDMETADATA") ? "; CloudKit keeps their records" : ""
        let words = "delete \(what) of '\(entity)' that \(rows == 1 ? "has" : "have") no owner"
        let removal = RowChange.remove(
            table: table,
            where: "t.Z_PK IN \(chosen)",
            count: rows,
            what: words
        )
        add(removal, lost: what + mirrored)
    }

    private struct LinkAway {
        var name: String
        var table: String
        var column: String
        /// Whether the rows are links, and go, rather than objects that lose one.
        var isJoin = false
        /// Whether the objects that point there require the link.
        var blocks = false
    }

    private func linksAway(from entity: String) -> [LinkAway] {
        guard let own = graph.entity(entity) else { return [] }
        var links: [LinkAway] = []
        for (reference, relationship) in graph.storedRelationships(of: graph.lineage(of: own)) {
            guard let (inverse, owner) = graph.inverse(of: relationship) else { continue }
            // The links of two keys to each other are those of the other side.
            var found = layout.links(of: reference)
            let isKey = found?.form == .key
            if isKey { found = layout.links(inverse.name, of: owner.name, as: .key) }
            guard let found, has(found.table, [found.key]) else { continue }
            let isJoin = found.form == .join
            // Owned objects are removed in the next round, found by the remaining link.
            guard isJoin || relationship.deleteRule != .cascade else { continue }
            let isDenied = relationship.deleteRule == .deny && !isKey
            links.append(
                LinkAway(
                    name: "\(owner.name).\(inverse.name)",
                    table: found.table,
                    column: found.key,
                    isJoin: isJoin,
                    blocks: !isJoin && (isDenied || !inverse.isOptional)
                )
            )
        }
        return links
    }

    /// Asks about objects whose required link dangles: only a person knows its destination, or whether they should exist.
    mutating func askAboutRequired(_ link: KeyLinks) throws(StoreError) {
        let (isGone, isNull) = ("\(link.scope) AND \(link.isMissing)", link.isNull)
        let gone = try count(link.table, where: isGone)
        let null = try count(link.table, where: isNull)
        guard gone + null > 0 else { return }
        let (remedy, advice) = try remedy(ofRequired: link, "(\(isGone) OR \(isNull))")
        if gone > 0 {
            let list = try examples(link.table, isGone)
            let kind = try wordsOfKind(link.column, in: link.table, where: isGone)
            let problem = "to no object\(kind), and it is required\(list)"
            refuseLinks(gone, of: link.property, problem, remedy, advice)
        }
        guard null > 0 else { return }
        let list = try examples(link.table, isNull)
        refuse(
            "'\(link.property)' is required, and \(null.counted("row"))\(list)"
                + " \(null == 1 ? "has" : "have") no destination",
            remedy,
            advice: advice,
            [FindingKind(.missingDestination, link.property.entity, link.property.name)]
        )
    }

    /// Advice for such objects: they are removed if their owner would have deleted them, or get a link.
    private func remedy(
        ofRequired link: KeyLinks,
        _ condition: String
    ) throws(StoreError) -> (Wording, [Advice]) {
        let entity = link.property.entity
        let (table, column) = (quotedIdentifier(link.table), quotedIdentifier(link.column))
        let numbers = layout.numbers(ofHierarchy: entity)
        let isAlone = layout.table(of: entity)?.rootEntity == entity
        let range = "\(numbers.first ?? 0) AND \(numbers.last ?? 0)"
        let keys = "SELECT Z_PK FROM \(quotedIdentifier(link.target))"
        // The store may lack the table that a repair makes anew: all links into it are lost.
        let hasTargets = try count(link.target) > 0
        let isLost = hasTargets ? "\(column) IS NULL OR \(column) NOT IN (\(keys))" : "1"
        let rows = isAlone ? isLost : "(\(isLost)) AND Z_ENT BETWEEN \(range)"
        func statement(_ sql: String) -> Hint { .statement(sql, store: connection.path) }
        // Triggers of Core Data call functions that SQLite's shell lacks.
        guard !layout.hasTriggers(on: link.table) else {
            let others: Wording =
                try isOwnerless(entity, condition, in: link.table)
                ? ", or delete these objects with \(.advice(.dropOwnerless(entity)))" : ""
            let remedy: Wording = "restore the store from a backup\(others)"
            return (remedy, remedy.advice)
        }
        let set: Wording = """
            after a backup, give them the Z_PK of their \(link.destination) in place of \(Placeholder.key): \
            \(statement("UPDATE \(table) SET \(column) = \(Placeholder.key) WHERE \(rows)"))
            """
        guard try !isOwnerless(entity, condition, in: link.table) else {
            let remedy: Wording = """
                restore the store from a backup, or delete these objects with \(.advice(.dropOwnerless(entity)))\
                \(hasTargets ? "; or, \(set), and then repair again" : "" as Wording)
                """
            return (remedy, remedy.advice)
        }
        let others: Wording = hasTargets ? "\(set), or" : "after a backup,"
        let remedy: Wording = """
            restore the store from a backup; or, \(others) delete them: \
            \(statement("DELETE FROM \(table) WHERE \(rows)")), and then repair again; for links to \
            them: \(.advice(.clearLinks))
            """
        return (remedy, [])
    }

    /// Whether all objects of a condition lack an owner, so that they go as ownerless.
    private func isOwnerless(
        _ entity: String,
        _ condition: String,
        in table: String
    ) throws(StoreError) -> Bool {
        let ownership = Ownership(of: self)
        guard !ownership.owners(of: entity).isEmpty else { return false }
        let conditions = layout.entities.filter { layout.isEntity($0.name, kindOf: entity) }
            .flatMap { below in
                [true, false].compactMap { ownership.isOwnerless(below.name, leftBehind: $0) }
            }
        guard !conditions.isEmpty else { return false }
        let all = conditions.map { "(\($0))" }.joined(separator: " OR ")
        return try count(table, where: "\(condition) AND NOT (\(all))") == 0
    }

    /// Describes how many broken links have something other than a key, such as a text; empty if all have keys.
    func wordsOfKind(
        _ column: String,
        in table: String,
        where condition: String
    ) throws(StoreError) -> String {
        let key = "t." + quotedIdentifier(column)
        let rows = "\(quotedIdentifier(table)) AS t WHERE \(condition) AND \(key) NOT NULL"
        let kinds = try connection.rows(
            "SELECT DISTINCT typeof(\(key)) FROM \(rows) AND typeof(\(key)) <> 'integer'"
        ).compactMap { $0.first?.text }.sorted()
        guard !kinds.isEmpty else { return "" }
        return ", as \(kinds.joined(separator: " or ")) is stored instead of a key"
    }
}

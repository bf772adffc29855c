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
        let ownership = Ownership(graph, layout, columns)
        for name in options.ownerlessEntities.sorted() where ownership.owners(of: name).isEmpty {
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
            let rows = try count("\(quotedIdentifier(table.name)) AS t WHERE \(condition)")
            guard rows > 0 else { continue }
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
        let round = try count("temp.sqlite_master")
        let keys = "momtool_ownerless_\(round)_\(layout.number(of: entity) ?? 0)"
        let all = "(SELECT t.Z_PK FROM \(name) AS t WHERE \(condition))"
        let chosen = "(SELECT key FROM temp.\(keys))"
        let what = rows.counted("object")
        var changes: [RowChange] = []
        for link in linksAway(from: entity) {
            guard link.blocks else {
                changes += try cutting(link, keysIn: all, chosen)
                continue
            }
            let used = try count(
                "\(quotedIdentifier(link.table)) AS t WHERE t.\(quotedIdentifier(link.column)) IN \(all)"
            )
            guard used > 0 else { continue }
            return refuse(
                "\(what) of '\(entity)' cannot be deleted: '\(link.name)' of \(used.counted("object")) needs them",
                "delete these in the app, or in SQL, first"
            )
        }
        add(
            .capture(
                keys,
                query: "SELECT t.Z_PK AS key FROM \(name) AS t WHERE \(condition)",
                what: "the keys of \(what) of '\(entity)' without an owner"
            )
        )
        for change in changes { add(change) }
        let mirrored =
            schema.hasTable("ANSCKRECORDMETADATA") ? "; CloudKit keeps their records" : ""
        add(
            .remove(
                table: table,
                where: "t.Z_PK IN \(chosen)",
                count: rows,
                what: "delete \(what) of '\(entity)' that \(rows == 1 ? "has" : "have") no owner"
            ),
            lost: what + mirrored
        )
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
        for ancestor in graph.lineage(of: own) {
            for relationship in ancestor.relationships where !relationship.isTransient {
                guard let (inverse, owner) = graph.inverse(of: relationship) else { continue }
                // The links of two keys to each other are those of the other side.
                var found = layout.links(relationship.name, of: ancestor.name)
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
        }
        return links
    }

    /// The change that removes links to deleted objects, if there are any.
    private func cutting(
        _ link: LinkAway,
        keysIn query: String,
        _ chosen: String
    ) throws(StoreError) -> [RowChange] {
        let column = "t." + quotedIdentifier(link.column)
        let rows = try count("\(quotedIdentifier(link.table)) AS t WHERE \(column) IN \(query)")
        guard rows > 0 else { return [] }
        let what = "remove \(rows.counted("link")) of '\(link.name)' to deleted objects"
        guard !link.isJoin else {
            return [
                .remove(table: link.table, where: "\(column) IN \(chosen)", count: rows, what: what)
            ]
        }
        return [
            .write(
                table: link.table,
                column: link.column,
                value: "NULL",
                where: "\(column) IN \(chosen)",
                what: what
            )
        ]
    }
}

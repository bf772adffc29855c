import Diagnostics
import Essentials
import ObjectModel
import SQLiteAccess
import StoreFormat

extension RepairScan {
    /// Gives every entity its number in `Z_PRIMARYKEY`; the greatest keys are found later.
    mutating func scanNumbers() throws(StoreError) {
        let rows = try StoreFile(on: connection).primaryKeys()
        let known = Dictionary(firstOf: rows.map { ($0.number, $0) })
        let names = Set(layout.entities.map(\.name))
        guard !restoreNumbers(rows) else { return }
        let history = HistoryLayout(model: model).entities.filter { schema.hasTable("A" + $0.name) }
        for entity in layout.entities + history {
            guard let row = known[Int64(entity.number)] else {
                let values: [RowChange.RecordValue] = [
                    .init(column: "Z_ENT", value: .integer(Int64(entity.number))),
                    .init(column: "Z_NAME", value: .text(entity.name)),
                    .init(column: "Z_SUPER", value: .integer(Int64(entity.superNumber))),
                    .init(column: "Z_MAX", value: .integer(0)),
                ]
                add(.replaceRecord(table: "Z_PRIMARYKEY", values))
                continue
            }
            // The row of an entity that a migration renamed may still have its old name.
            guard row.name == entity.name || !names.contains(row.name) else {
                refuse(
                    "the number of '\(entity.name)' is \(entity.number), but the store uses that for '\(row.name)'",
                    "restore the store from a backup; its rows may belong to either entity",
                    FindingKind(.entityNumbers, entity.name)
                )
                continue
            }
            guard row.superNumber != entity.superNumber else { continue }
            let (number, own) = ("\(entity.superNumber)", "Z_ENT = \(entity.number)")
            let what = "write the parent of '\(entity.name)', which is \(number)"
            write(number, to: "Z_SUPER", of: "Z_PRIMARYKEY", where: own, what)
        }
    }

    /// Restores rows of `Z_PRIMARYKEY` by name if their number is unknown, and removes those whose entity has its own
    /// row; returns whether there are any.
    ///
    /// Greatest keys are found later.
    private mutating func restoreNumbers(_ rows: [PrimaryKeyRow]) -> Bool {
        let known = Set(layout.entities.map { Int64($0.number) })
        let present = Set(rows.map(\.number))
        var restored: Set<Int64> = []
        for row in rows where !known.contains(row.number) && row.number < HistoryLayout.firstNumber
        {
            let condition = "Z_ENT = \(row.number)"
            guard let number = layout.number(of: row.name).map(Int64.init) else {
                guard row.isUnused(Set(schema.columns.keys)) else { continue }
                let what =
                    "remove the row of number \(row.number), as there is no entity '\(row.name)'"
                add(.remove(table: "Z_PRIMARYKEY", where: condition, count: 1, what: what))
                continue
            }
            if present.contains(number) || !restored.insert(number).inserted {
                let what =
                    "remove the row of number \(row.number), as the number of '\(row.name)' is \(number)"
                add(.remove(table: "Z_PRIMARYKEY", where: condition, count: 1, what: what))
                restored.insert(row.number)
            } else {
                let what = "write the number of '\(row.name)', which is \(number)"
                write("\(number)", to: "Z_ENT", of: "Z_PRIMARYKEY", where: condition, what)
            }
        }
        return !restored.isEmpty
    }

    /// Raises `Z_MAX` to the greatest key that rows, links, history or CloudKit's tables mention, and lowers it to that
    /// where it leaves no keys for new objects.
    mutating func scanKeys() throws(StoreError) {
        let rows = try StoreFile(on: connection).primaryKeys()
        let found = try handedOutKeys(layout, columns, rows, on: connection)
        let greatest = Dictionary(firstOf: found.map { ($0.number, $0.key) })
        for row in rows {
            let (maximum, key) = (row.maximumKey, greatest[row.number] ?? 0)
            guard key > maximum || maximum >= keyLimit else { continue }
            let entity = found.first { $0.number == row.number }?.entity ?? row.name
            add(.setKey(number: row.number, entity: entity, from: maximum, to: key))
        }
    }

    /// Gives rows their only possible entity, where theirs is none of their table, or ruled out by their values,
    /// history or links.
    mutating func scanEntities() throws(StoreError) {
        for table in layout.tables where has(table.name, table.columns.map(\.name)) {
            let evidence = EntityEvidence(table, self)
            let wrong = evidence.isWrong
            guard try count(table.name, where: wrong) > 0 else { continue }
            let certain = evidence.isCertain(among: wrong)
            let curable = try count(table.name, where: certain)
            if curable > 0 {
                let what =
                    "give \(curable.counted("row")) of \(table.name) the only possible entity"
                write(evidence.onlyPossible, to: "Z_ENT", of: table.name, where: certain, what)
            }
            let stray = evidence.isStray
            let asked = "\(stray) AND NOT (\(certain))"
            guard let left = try someRows(table.name, where: asked) else { continue }
            let list = try examples(table.name, asked)
            let names = evidence.candidates.map(\.name).joined(separator: ", ")
            refuse(
                "\(left.counted("row")) of \(table.name)\(list) \(left == 1 ? "has" : "have") no valid"
                    + " entity, and may belong to \(names)",
                try remedy(ofStrays: asked, evidence),
                advice: [],
                [FindingKind(.foreignEntityNumber, table.rootEntity)]
                    + [FindingKind(.abstractEntityRow, table.rootEntity)] + linksTo(table)
            )
        }
    }

    /// What to do about rows of no entity: only a person knows of which they are.
    private func remedy(
        ofStrays condition: String,
        _ evidence: EntityEvidence
    ) throws(StoreError) -> Wording {
        let (table, limit) = (evidence.table.name, 50)
        let name = quotedIdentifier(table)
        let keys = try connection.rows(
            "SELECT Z_PK FROM \(name) AS t WHERE \(condition) ORDER BY 1 LIMIT \(limit + 1)"
        ).compactMap(\.first?.integer)
        guard keys.count <= limit, !layout.hasTriggers(on: table) else {
            return "restore the store from a backup, or delete the rows in SQL"
        }
        let rows = "Z_PK IN (\(keys.map(String.init).joined(separator: ", ")))"
        let numbers = evidence.candidates.map { "\($0.number) for \($0.name)" }.listed(most: 5)
        func statement(_ sql: String) -> Hint { .statement(sql, store: connection.path) }
        return """
            restore the store from a backup; or, after a backup, give them the number of their entity (\(numbers)) \
            in place of \(Placeholder.key): \
            \(statement("UPDATE \(name) SET Z_ENT = \(Placeholder.key) WHERE \(rows)")), or delete them: \
            \(statement("DELETE FROM \(name) WHERE \(rows)")), and then repair it again; for links to them: \(.advice(.clearLinks))
            """
    }

    /// What verification reports about links to rows without an entity.
    private func linksTo(_ table: EntityTable) -> [FindingKind] {
        graph.storedRelationships.filter {
            $0.relationship.destinationEntity.flatMap(layout.table)?.name == table.name
        }.flatMap { reference, _ in
            Damage.lostLinkRules.map { FindingKind($0, reference.entity, reference.name) }
        }
    }
}

/// The evidence for and against the entities of a row: its values, persistent history, and the links to it.
private struct EntityEvidence {
    let table: EntityTable
    /// The entities that rows of the table may have.
    let candidates: [NumberedEntity]
    private let scan: RepairScan
    /// The links to rows of the table: their destination entity, and the rows that they point at, in SQL.
    private var links: [(destination: String, keys: String, says: String?)] = []

    init(_ table: EntityTable, _ scan: RepairScan) {
        (self.table, self.scan) = (table, scan)
        candidates = scan.layout.entities.filter {
            table.entities.contains($0.name) && !$0.isAbstract
        }
        guard candidates.count > 1 else { return }
        for (reference, relationship) in scan.graph.storedRelationships {
            guard let destination = relationship.destinationEntity,
                scan.layout.table(of: destination)?.name == table.name,
                destination != table.rootEntity, let link = Self.link(reference, scan)
            else { continue }
            links.append((destination, link.keys, link.says))
        }
    }

    /// The rows that a relationship leads to, and those of an entity by the number beside the links.
    private static func link(
        _ reference: PropertyReference,
        _ scan: RepairScan
    ) -> (keys: String, says: String?)? {
        guard let links = scan.layout.links(of: reference),
            scan.has(links.table, [links.destination])
        else { return nil }
        let key = quotedIdentifier(links.destination)
        let all = "SELECT \(key) FROM \(quotedIdentifier(links.table))"
        switch links.form {
        case .key:
            let keys =
                "\(all) AS s WHERE \(scan.isKind(of: reference.entity, row: "s")) AND \(key) NOT NULL"
            let says = links.entityColumn.flatMap { number in
                scan.has(links.table, [number]) ? "\(keys) AND \(quotedIdentifier(number)) = " : nil
            }
            return (keys, says)
        case .join: return (all, nil)
        case .inverseKey, .owner: return nil
        }
    }

    var isStray: String {
        "(t.Z_ENT IS NULL OR t.Z_ENT NOT IN (\(numberList(candidates.map(\.number)))))"
    }

    /// The condition that a row has no entity of the table, or one that both the links to it and something else rule out.
    var isWrong: String {
        let mislinked = links.map { link in
            "(t.Z_PK IN (\(link.keys)) AND NOT (\(scan.isKind(of: link.destination))))"
        }
        guard !mislinked.isEmpty else { return isStray }
        let refuted = candidates.map {
            "(t.Z_ENT = \($0.number) AND NOT (\(isPossible($0, byLinks: false))))"
        }
        return "(\(isStray) OR (\(mislinked.joined(separator: " OR "))) AND "
            + "(\(refuted.joined(separator: " OR "))))"
    }

    func isCertain(among wrong: String) -> String {
        guard candidates.count > 1 else { return candidates.isEmpty ? "0" : wrong }
        let sum = candidates.map { "(\(isPossible($0)))" }.joined(separator: " + ")
        return "\(wrong) AND \(sum) = 1"
    }

    var onlyPossible: String {
        guard candidates.count > 1 else { return "\(candidates.first?.number ?? 0)" }
        let cases = candidates.map { "WHEN \(isPossible($0)) THEN \($0.number)" }
        return "CASE \(cases.joined(separator: " ")) END"
    }

    /// The condition that nothing rules an entity out for a row.
    private func isPossible(_ entity: NumberedEntity, byLinks: Bool = true) -> String {
        var conditions: [String] = []
        for column in table.columns {
            guard let owner = column.role.declarer else { continue }
            let name = "t." + quotedIdentifier(column.name)
            guard scan.layout.isEntity(entity.name, kindOf: owner) else {
                // Only objects of other entities have values there.
                if !column.role.isOfArrivals { conditions.append("\(name) IS NULL") }
                continue
            }
            guard case .attribute(let attribute, []) = column.role,
                scan.graph.entity(owner)?.attributes.first(where: { $0.name == attribute.name })
                    .map({ !$0.isOptional && $0.derivation == nil }) == true
            else { continue }
            conditions.append("\(name) NOT NULL")
        }
        let others = candidates.filter { $0.number != entity.number }.map(\.number)
        if scan.has("ACHANGE", ["ZENTITY", "ZENTITYPK"]), !others.isEmpty {
            conditions.append(
                "t.Z_PK NOT IN (SELECT ZENTITYPK FROM ACHANGE WHERE ZENTITYPK NOT NULL AND ZENTITY IN "
                    + "(\(numberList(others))))"
            )
        }
        for link in links {
            if let says = link.says, !others.isEmpty {
                let list = others.map { "t.Z_PK NOT IN (\(says)\($0))" }
                conditions += list
            }
            if byLinks, !scan.layout.isEntity(entity.name, kindOf: link.destination) {
                conditions.append("t.Z_PK NOT IN (\(link.keys))")
            }
        }
        return conditions.isEmpty ? "1" : conditions.joined(separator: " AND ")
    }
}

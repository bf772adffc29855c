package import Diagnostics
package import SQLiteAccess
import ObjectModel

extension RuleID {
    package static let missingTable: RuleID = "missing-table"
    package static let missingColumn: RuleID = "missing-column"
    package static let missingPrimaryKey: RuleID = "missing-primary-key"
    package static let missingIndex: RuleID = "missing-index"
    package static let missingTrigger: RuleID = "missing-trigger"
    package static let surplusTrigger: RuleID = "surplus-trigger"
    package static let guessedJoinTable: RuleID = "guessed-join-table"
}

let schemaDamage: [RuleID: Damage] = [
    .missingTable: .repair("A table that the model needs is not in the store."),
    .missingColumn: .repair("A column that the model needs is not in the store."),
    .missingPrimaryKey: .repair("A many-to-many table has no primary key against duplicates."),
    .missingIndex: .repair("An index that the model needs is not in the store."),
    .missingTrigger: .repair("A trigger that the model needs is not in the store."),
    .surplusTrigger: .person("The store has a trigger that the model does not explain."),
    .guessedJoinTable: .person("Core Data may look for a join table under another name."),
    "surplus-column": .person("The store has a column that the model does not explain."),
    "surplus-index": .person("The store has an index that the model does not explain."),
    "surplus-table": .person("The store has a table that the model does not explain."),
    "duplicate-link": .repairing("A join table has a link twice.", "keep each link once"),
]

extension LaidOutStore {
    var tableFindings: [Diagnostic] {
        let expected =
            layout.tables.map { ($0.name, $0.rootEntity, $0.columns.map(\.name)) }
            + layout.joinTables.map { ($0.name, $0.namingRelationship.entity, $0.columnNames) }
        var findings: [Diagnostic] = []
        for (name, entity, names) in expected {
            guard let present = columns[name] else {
                findings.append(Diagnostic(.missingTable, "no table \(name)", entity: entity))
                continue
            }
            for column in names where !present.contains(column) {
                let message = "no column \(column) in table \(name)"
                findings.append(Diagnostic(.missingColumn, message, entity: entity))
            }
            for column in present.subtracting(names).sorted() {
                let message = "column \(column) of table \(name) belongs to no property"
                findings.append(
                    Diagnostic("surplus-column", message, severity: .note, entity: entity)
                )
            }
        }
        findings += missingKeys
        var known = StoreLayout.systemTables.union(expected.map(\.0))
        for index in layout.spatialIndexes { known.formUnion([index.name] + index.shadowTables) }
        for table in schema where table.kind == .table && !known.contains(table.name) {
            // SQLite's own, such as what ANALYZE writes, which Core Data runs if an option says so.
            let isOfSQLite = table.name.hasPrefix("sqlite_")
            if isOfSQLite || table.isHistoryTable || table.isCloudKitTable { continue }
            let message = "table \(table.name) belongs to no entity"
            findings.append(Diagnostic("surplus-table", message, severity: .note))
        }
        return findings
    }

    /// Indexes take no part in compatibility (SQLiteStores, "Traces of migration"), so differences are mere notes.
    var objectFindings: [Diagnostic] {
        var findings: [Diagnostic] = []
        let present = Dictionary(grouping: schema, by: \.kind).mapValues { Set($0.map(\.name)) }
        let tables = layout.tableNames
        let names = Set(schema.map { $0.name.lowercased() })
        for index in layout.missingIndexes(in: schema) {
            let message = "no index \(index.name) on table \(index.table)"
            let severity: Severity = index.isUnique ? .warning : .note
            findings.append(Diagnostic(.missingIndex, message, severity: severity))
        }
        let own = OwnObjects(of: layout)
        findings += spatialFindings(Set(present.values.joined()))
        let changing = ChangingTables(layout)
        let effects = TriggerEffects(of: schema, on: changing)
        for object in schema {
            if object.kind == .index, tables.contains(object.table),
                !own.isRest(object)
            {
                let message = "index \(object.name) on table \(object.table) belongs to no property"
                findings.append(Diagnostic("surplus-index", message, severity: .note))
            }
            guard object.kind == .trigger else { continue }
            if own.isAltered(object) {
                let message =
                    "trigger \(object.name) on table \(object.table) differs from Core Data's"
                findings.append(Diagnostic(.missingTrigger, message, severity: .warning))
            } else if changing.contains(object.table), !own.isTrigger(object),
                TriggerEffects.spatialIndexes(filledBy: object.sql)?.isSubset(of: names) != true
            {
                findings.append(surplusTrigger(object, effects, layout))
            }
        }
        for trigger in layout.missingTriggers(in: schema)
        where !names.contains(trigger.name.lowercased()) {
            let message = "no trigger \(trigger.name) on table \(trigger.table)"
            findings.append(Diagnostic(.missingTrigger, message, severity: .warning))
        }
        return findings
    }

    private func spatialFindings(_ present: Set<String>) -> [Diagnostic] {
        layout.spatialIndexes.flatMap { index in
            let missing = [index.name] + index.triggers.map(\.name)
            return missing.filter { !present.contains($0) }.map { name in
                let message = "no \(name), which belongs to a spatial index of table \(index.table)"
                return Diagnostic(.missingIndex, message, severity: .note)
            }
        }
    }

    /// Columns that persistent history lacks; every version of the model adds some for values of deleted objects.
    var lostHistoryColumns: [Diagnostic] {
        HistoryLayout.columns(of: model)
            .filter { columns[$0.table]?.contains($0.name) == false }
            .map { Diagnostic(.missingColumn, "no column \($0.name) in table \($0.table)") }
    }

    /// Reports missing tables of history and mirroring whose rows are still counted: a note if all are missing.
    func lostSystemTables(_ rows: [PrimaryKeyRow]) -> [Diagnostic] {
        HistoryLayout.lost(rows, Set(columns.keys)).map { lost in
            let severity: Severity = lost.isAlone ? .error : .note
            let message = "no table \(lost.table)"
            return Diagnostic(.missingTable, message, severity: severity, entity: lost.name)
        }
    }

    /// Notes which join tables of a store Core Data may look for under another name (SQLiteStores, "Self-referential
    /// many-to-many relationships"); the store itself cannot tell.
    var joinTableNotes: [Diagnostic] {
        layout.joinTables.compactMap { join in
            guard let inverse = join.otherNamingRelationship else { return nil }
            let message =
                "its table is \(join.name); it is unknown whether Core Data looks for that or for one named after "
                + "'\(inverse.name)'"
            return join.finding(.guessedJoinTable, message, .note)
        }
    }

    var missingKeys: [Diagnostic] {
        joinTablesWithoutKey.map { join in
            let message =
                "table \(join.name) lacks its primary key (\(join.first.name), \(join.second.name)), "
                + "which prevents duplicate links"
            return join.finding(.missingPrimaryKey, message, .warning)
        }
    }

    /// Finds duplicate links in a join table, which are possible only without a primary key.
    func repeatedLinks() throws(StoreError) -> [Diagnostic] {
        var findings: [Diagnostic] = []
        for join in joinTablesWithoutKey {
            let words = "duplicate link in table \(join.name)"
            let rows = try connection.affected(join.name, key: "rowid", where: join.isRepeated)
            if let rows { findings.append(join.finding("duplicate-link", words, rows: rows)) }
        }
        return findings
    }

    /// The join tables that have no primary key, unlike Core Data's.
    private var joinTablesWithoutKey: [JoinTable] {
        let keyless = schema.filter { $0.kind == .table && !$0.sql.hasPrimaryKey }.map(\.name)
        return layout.joinTables.filter { keyless.contains($0.name) }
    }
}

extension JoinTable {
    fileprivate func finding(
        _ rule: RuleID,
        _ message: String,
        _ severity: Severity = .error,
        rows: Diagnostic.AffectedRows? = nil
    ) -> Diagnostic {
        let (entity, name) = (namingRelationship.entity, namingRelationship.name)
        return Diagnostic(
            rule,
            message,
            severity: severity,
            entity: entity,
            property: name,
            rows: rows
        )
    }

    package var isRepeated: String {
        "rowid NOT IN (SELECT min(rowid) FROM \(quotedIdentifier(name)) "
            + "GROUP BY \(quotedIdentifier(first.name)), \(quotedIdentifier(second.name)))"
    }
}

extension SQLiteConnection {
    /// The rows of a condition over the row `t`; `nil` if there are none.
    func affected(
        _ table: String,
        key: String = "Z_PK",
        where condition: String
    ) throws(StoreError) -> Diagnostic.AffectedRows? {
        let rows = "FROM \(quotedIdentifier(table)) AS t WHERE \(condition)"
        let count = try value("SELECT count(*) \(rows)")?.integer ?? 0
        guard count > 0 else { return nil }
        return .init(count: Int(clamping: count), unit: "row", keys: try keys(key, rows))
    }

    /// The first keys of rows that follow `FROM`.
    package func keys(_ key: String, _ rows: String) throws(StoreError) -> [Int64] {
        let limit = Diagnostic.AffectedRows.keyLimit
        return try self.rows("SELECT \(key) \(rows) ORDER BY \(key) LIMIT \(limit)")
            .compactMap(\.first?.integer)
    }
}

import Diagnostics
import SQLiteAccess

extension LaidOutStore {
    /// Notes which join tables of a store Core Data may look for under another name (SQLiteStores, "Self-referential
    /// many-to-many relationships"); the store itself cannot tell.
    var joinTableNotes: [Diagnostic] {
        layout.joinTables.compactMap { join in
            guard let inverse = join.otherNamingRelationship else { return nil }
            let message =
                "its table is \(join.name); it is unknown whether Core Data looks for that or for one named after "
                + "'\(inverse.name)'"
            return join.finding(.guessedJoinTable, message, severity: .note)
        }
    }

    var missingKeys: [Diagnostic] {
        joinTablesWithoutKey.map { join in
            let message =
                "table \(join.name) lacks its primary key (\(join.first.name), \(join.second.name)), "
                + "which prevents duplicate links"
            return join.finding(.missingPrimaryKey, message, severity: .warning)
        }
    }

    /// Finds duplicate links in a join table, which are possible only without a primary key.
    func repeatedLinks() throws(StoreError) -> [Diagnostic] {
        var findings: [Diagnostic] = []
        for join in joinTablesWithoutKey {
            let from = "FROM \(quotedIdentifier(join.name)) WHERE \(join.isRepeated)"
            let count = try connection.value("SELECT count(*) \(from)")?.integer ?? 0
            guard count > 0 else { continue }
            let limit = Diagnostic.AffectedRows.keyLimit
            let keys = try connection.rows("SELECT rowid \(from) ORDER BY 1 LIMIT \(limit)")
                .compactMap(\.first?.integer)
            findings.append(
                join.finding(
                    .duplicateLink,
                    "duplicate link in table \(join.name)",
                    rows: .init(count: Int(clamping: count), unit: "row", keys: keys)
                )
            )
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
        severity: Severity = .error,
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

extension String {
    package var hasPrimaryKey: Bool {
        let words = uppercased().split { !$0.isLetter }
        return zip(words, words.dropFirst()).contains { $0 == "PRIMARY" && $1 == "KEY" }
    }
}

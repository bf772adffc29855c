import Diagnostics
import Essentials
import SQLiteAccess

/// Notes which join tables of a store Core Data may look for under another name (SQLiteStores, "Self-referential
/// many-to-many relationships"); the store itself cannot tell.
func joinTableNotes(_ layout: StoreLayout) -> [Diagnostic] {
    layout.joinTables.compactMap { join in
        guard let inverse = join.otherNamingRelationship else { return nil }
        let naming = join.namingRelationship
        let message =
            "its table is \(join.name); it is unknown whether Core Data looks for that or for one named after "
            + "'\(inverse.name)'"
        return Diagnostic(
            .guessedJoinTable,
            message,
            severity: .note,
            entity: naming.entity,
            property: naming.name
        )
    }
}

func missingKeys(_ layout: StoreLayout, _ schema: [SchemaObject]) -> [Diagnostic] {
    schema.joinTablesWithoutKey(of: layout).map { join in
        let naming = join.namingRelationship
        return Diagnostic(
            .missingPrimaryKey,
            "table \(join.name) lacks its primary key (\(join.first.name), \(join.second.name)), "
                + "which prevents duplicate links",
            severity: .warning,
            entity: naming.entity,
            property: naming.name
        )
    }
}

/// Finds duplicate links in a join table, which are possible only without a primary key.
func repeatedLinks(
    _ layout: StoreLayout,
    _ schema: [SchemaObject],
    on connection: SQLiteConnection
) throws(StoreError) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    for join in schema.joinTablesWithoutKey(of: layout) {
        let from = "FROM \(quotedIdentifier(join.name)) WHERE \(join.isRepeated)"
        let count = try connection.value("SELECT count(*) \(from)")?.integer ?? 0
        guard count > 0 else { continue }
        let limit = Diagnostic.AffectedRows.keyLimit
        findings.append(
            Diagnostic(
                .duplicateLink,
                "duplicate link in table \(join.name)",
                entity: join.namingRelationship.entity,
                property: join.namingRelationship.name,
                rows: Diagnostic.AffectedRows(
                    count: Int(clamping: count),
                    unit: "row",
                    keys: try connection.rows("SELECT rowid \(from) ORDER BY 1 LIMIT \(limit)")
                        .compactMap(\.first?.integer)
                )
            )
        )
    }
    return findings
}

extension [SchemaObject] {
    /// The join tables of a layout that have no primary key, unlike Core Data's.
    fileprivate func joinTablesWithoutKey(of layout: StoreLayout) -> [JoinTable] {
        let keyless = Set(filter { $0.kind == .table && !$0.sql.hasPrimaryKey }.map(\.name))
        return layout.joinTables.filter { keyless.contains($0.name) }
    }
}

extension JoinTable {
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

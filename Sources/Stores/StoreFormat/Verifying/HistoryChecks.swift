import Diagnostics
import Essentials
import ObjectModel
import SQLiteAccess

/// Persistent history keeps values of deleted objects in columns that every version of the model adds to.
func historyFindings(
    _ model: ManagedObjectModel,
    _ columns: [String: Set<String>]
) -> [Diagnostic] {
    guard let present = columns["ACHANGE"] else { return [] }
    return HistoryLayout.tombstoneColumns(of: model).filter { !present.contains($0) }.map {
        Diagnostic(.missingColumn, "no column \($0) in table ACHANGE")
    }
}

/// Reports missing tables of history and mirroring whose rows the store still counts: a note if all of them are
/// missing, which may be intended.
func lostSystemTables(_ rows: [PrimaryKeyRow], _ columns: [String: Set<String>]) -> [Diagnostic] {
    HistoryLayout.lost(rows, Set(columns.keys)).map { lost in
        Diagnostic(
            .missingTable,
            "no table \(lost.table)",
            severity: lost.isAlone ? .error : .note,
            entity: lost.name
        )
    }
}

/// Changes in persistent history without a transaction: no request for transactions returns them.
func orphanedChanges(
    _ columns: [String: Set<String>],
    on connection: SQLiteConnection
) throws(StoreError) -> [Diagnostic] {
    guard columns["ACHANGE"]?.contains("ZTRANSACTIONID") == true,
        columns["ATRANSACTION"]?.contains("Z_PK") == true
    else { return [] }
    return try changes(
        where: HistoryLayout.hasNoTransaction,
        { "\($0) in persistent history without a transaction" },
        .warning,
        on: connection
    )
}

/// Changes in persistent history of entities that the model does not have.
///
/// They are damage, or left from a migration: it is unknown whether Core Data removes them, so they are not faults.
func foreignChanges(
    _ columns: [String: Set<String>],
    _ layout: StoreLayout,
    on connection: SQLiteConnection
) throws(StoreError) -> [Diagnostic] {
    guard columns["ACHANGE"]?.contains("ZENTITY") == true else { return [] }
    let numbers = layout.entities.map { "\($0.number)" }.joined(separator: ", ")
    return try changes(
        where: "ZENTITY NOT IN (\(numbers))",
        { "\($0) in persistent history for an unknown entity" },
        .note,
        on: connection
    )
}

private func changes(
    where condition: String,
    _ message: (String) -> String,
    _ severity: Severity,
    on connection: SQLiteConnection
) throws(StoreError) -> [Diagnostic] {
    let rows = "FROM ACHANGE WHERE \(condition)"
    let count = try connection.value("SELECT count(*) \(rows)")?.integer ?? 0
    guard count > 0 else { return [] }
    let keys = try connection.rows(
        "SELECT Z_PK \(rows) ORDER BY Z_PK LIMIT \(Diagnostic.AffectedRows.keyLimit)"
    ).compactMap(\.first?.integer)
    return [
        Diagnostic(
            .orphanedChange,
            message(count.counted("change")),
            severity: severity,
            rows: Diagnostic.AffectedRows(count: Int(clamping: count), unit: "row", keys: keys)
        )
    ]
}

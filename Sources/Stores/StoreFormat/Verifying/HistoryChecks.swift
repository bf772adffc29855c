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

/// Changes in persistent history that belong to no transaction: no request for transactions returns them.
func orphanedChanges(
    _ columns: [String: Set<String>],
    on connection: SQLiteConnection
) throws(StoreError) -> [Diagnostic] {
    guard columns["ACHANGE"]?.contains("ZTRANSACTIONID") == true,
        columns["ATRANSACTION"]?.contains("Z_PK") == true
    else { return [] }
    let rows = "FROM ACHANGE WHERE \(HistoryLayout.hasNoTransaction)"
    let count = try connection.value("SELECT count(*) \(rows)")?.integer ?? 0
    guard count > 0 else { return [] }
    let keys = try connection.rows(
        "SELECT Z_PK \(rows) ORDER BY Z_PK LIMIT \(Diagnostic.AffectedRows.keyLimit)"
    ).compactMap(\.first?.integer)
    return [
        Diagnostic(
            .orphanedChange,
            "\(count.counted("change")) in persistent history of no transaction",
            severity: .warning,
            rows: Diagnostic.AffectedRows(count: Int(clamping: count), unit: "row", keys: keys)
        )
    ]
}

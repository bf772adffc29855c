import Diagnostics
import Essentials
import SQLiteAccess

extension LaidOutStore {
    /// Persistent history keeps values of deleted objects in columns that every version of the model adds to.
    var lostTombstones: [Diagnostic] {
        guard let present = columns["ACHANGE"] else { return [] }
        return HistoryLayout.tombstoneColumns(of: model).filter { !present.contains($0) }.map {
            Diagnostic(.missingColumn, "no column \($0) in table ACHANGE")
        }
    }

    /// Reports missing tables of history and mirroring whose rows the store still counts: a note if all of them are
    /// missing, which may be intended.
    func lostSystemTables(_ rows: [PrimaryKeyRow]) -> [Diagnostic] {
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
    func orphanedChanges() throws(StoreError) -> [Diagnostic] {
        guard has("ACHANGE", ["ZTRANSACTIONID"]), has("ATRANSACTION", ["Z_PK"]) else { return [] }
        return try changes(where: HistoryLayout.hasNoTransaction, .warning) {
            "\($0) in persistent history without a transaction"
        }
    }

    /// Changes in persistent history of entities that the model does not have.
    ///
    /// They are damage, or left from a migration: it is unknown whether Core Data removes them, so they are not faults.
    func foreignChanges() throws(StoreError) -> [Diagnostic] {
        guard has("ACHANGE", ["ZENTITY"]) else { return [] }
        let numbers = layout.entities.map { "\($0.number)" }.joined(separator: ", ")
        return try changes(where: "ZENTITY NOT IN (\(numbers))", .note) {
            "\($0) in persistent history for an unknown entity"
        }
    }

    private func changes(
        where condition: String,
        _ severity: Severity,
        _ message: (String) -> String
    ) throws(StoreError) -> [Diagnostic] {
        let rows = "FROM ACHANGE WHERE \(condition)"
        let count = try connection.value("SELECT count(*) \(rows)")?.integer ?? 0
        guard count > 0 else { return [] }
        let keys = try connection.rows(
            "SELECT Z_PK \(rows) ORDER BY Z_PK LIMIT \(Diagnostic.AffectedRows.keyLimit)"
        ).compactMap(\.first?.integer)
        let affected = Diagnostic.AffectedRows(count: Int(clamping: count), unit: "row", keys: keys)
        let words = message(count.counted("change"))
        return [Diagnostic(.orphanedChange, words, severity: severity, rows: affected)]
    }
}

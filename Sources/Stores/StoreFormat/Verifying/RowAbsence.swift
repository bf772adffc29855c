import Diagnostics
import SQLiteAccess

extension StoreFile {
    /// Notes what may have become of the rows of a store without any; an app may have deleted them all.
    ///
    /// There is a note only where keys were used, or the write-ahead log that may hold the rows is missing.
    func absence(
        of tables: [EntityTable],
        _ keys: [PrimaryKeyRow]
    ) throws(StoreError) -> [Diagnostic] {
        for table in tables where try hasRows(table.name) { return [] }
        let own = keys.filter { $0.number < HistoryLayout.firstNumber }
        let greatest = own.map(\.maximumKey).max() ?? 0
        let question = lostLogQuestion
        guard greatest > 0 || question != nil else { return [] }
        let known = greatest > 0 ? ", although keys up to \(greatest) were assigned" : ""
        let words = question ?? " (were all objects deleted, or are their rows unreadable?)"
        return [Diagnostic(.noRows, "no rows at all\(known)\(words)", severity: .note)]
    }
}

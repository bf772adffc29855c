import Diagnostics
import Essentials
import FileSystem
import SQLiteAccess

/// Says of a store without any rows what may have become of them; an app may as well have deleted them all.
///
/// - Parameters:
///   - layout: the layout of the store.
///   - columns: the columns that the store has, by table.
///   - keys: what `Z_PRIMARYKEY` says.
///   - file: the store.
/// - Returns: a note where keys were handed out, or the write-ahead log that may hold the rows is not there; else none.
/// - Throws: `StoreError` when the store cannot be read.
func absentRows(
    _ layout: StoreLayout,
    _ columns: [String: Set<String>],
    _ keys: [PrimaryKeyRow],
    in file: StoreFile
) throws(StoreError) -> [Diagnostic] {
    for table in layout.tables where columns[table.name] != nil {
        if try file.hasRows(table.name) { return [] }
    }
    let own = keys.filter { $0.number < HistoryLayout.firstNumber }
    let greatest = own.map(\.maximumKey).max() ?? 0
    let question = file.lostLogQuestion
    guard greatest > 0 || question != nil else { return [] }
    let known = greatest > 0 ? ", though keys up to \(greatest) were handed out" : ""
    let words = question ?? " (were all objects deleted, or could their rows not be read?)"
    return [Diagnostic(.noRows, "no rows at all\(known)\(words)", severity: .note)]
}

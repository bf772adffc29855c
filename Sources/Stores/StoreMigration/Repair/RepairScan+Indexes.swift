import ObjectModel
import Diagnostics
import SQLiteAccess
import StoreFormat

extension RepairScan {
    /// Rebuilds indexes that differ from their tables; a file with other faults is not repaired.
    ///
    /// It comes first, as an index may answer any query.
    mutating func scanIndexes() throws(StoreError) {
        let faults = try StoreFile(on: connection).integrityFaults(limit: Self.faultLimit)
        guard !faults.isEmpty else { return }
        guard var names = damagedIndexes(by: faults) else {
            return refuse(
                "the file itself is damaged: \(faults[0])",
                "save what can be read; \(.examine) shows how",
                FindingKind(.damagedDatabase, nil)
            )
        }
        let known = try connection.rows(
            "SELECT name, tbl_name FROM sqlite_master WHERE type = 'index'"
        )
        let tables = Dictionary(
            firstOf: known.compactMap { row in
                row[0].text.flatMap { name in row[1].text.map { (name, $0) } }
            }
        )
        // Faults beyond the limit may be in any index.
        if faults.count >= Self.faultLimit { names = tables.keys.sorted() }
        for name in names {
            guard let table = tables[name] else { continue }
            add(.rebuildIndex(name, of: table))
        }
    }

    private static let faultLimit = 1000
}

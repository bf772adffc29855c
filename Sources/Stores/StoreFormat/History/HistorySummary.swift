import Diagnostics
import Essentials
package import ObjectModel
package import SQLiteAccess

package struct HistorySummary: Sendable, Hashable {
    package struct Part: Sendable, Hashable {
        /// The author or the entity; `nil` where there is none, or it is not known.
        package var name: String?
        package var transactions: Int
        package var changes: Int
        /// The time of the first transaction, in seconds since 2001; `nil` where it is not known.
        package var first: Double?
        /// The time of the last one.
        package var last: Double?
    }

    package var total: Part
    package var authors: [Part]
    package var entities: [Part]
    /// What is older than the given date.
    package var old: Part
    /// The bytes of its tables and their indexes; `nil` where this SQLite cannot tell.
    package var bytes: Int?

    /// About how many bytes pruning the old part would free.
    package var oldBytes: Int? {
        bytes.map { bytes in
            let (part, all) = (old.changes + old.transactions, total.changes + total.transactions)
            return all == 0 ? 0 : Int(Double(bytes) * Double(part) / Double(all))
        }
    }

    /// Counts the history of a store; `nil` when the store keeps none, or one of its tables is lost.
    ///
    /// `model` names entities that a migration renamed; `start`, in seconds since 2001, is the date before which
    /// history is old.
    package init?(
        of store: StoreFile,
        model: ManagedObjectModel?,
        oldBefore start: Double
    ) throws(StoreError) {
        let connection = store.connection
        let columns = try store.columns()
        guard let transaction = columns["ATRANSACTION"], let change = columns["ACHANGE"],
            transaction.contains("ZTIMESTAMP"),
            change.isSuperset(of: ["ZTRANSACTIONID", "ZENTITY"])
        else { return nil }
        let saves =
            "SELECT t.ZTIMESTAMP AS time, IFNULL(c.number, 0) AS changes, "
            + Self.author(transaction, columns["ATRANSACTIONSTRING"] != nil)
            + " AS author FROM ATRANSACTION AS t LEFT JOIN (SELECT ZTRANSACTIONID AS id, COUNT(*) "
            + "AS number FROM ACHANGE GROUP BY ZTRANSACTIONID) AS c ON c.id = t.Z_PK"
        let figures = "COUNT(*), IFNULL(SUM(changes), 0), MIN(time), MAX(time)"
        func parts(_ sql: String) throws(StoreError) -> [Part] {
            try connection.rows(sql).map(Part.init)
        }
        total = try parts("SELECT NULL, \(figures) FROM (\(saves))")[0]
        total.changes = Int(
            clamping: try connection.value("SELECT COUNT(*) FROM ACHANGE")?.integer ?? 0
        )
        authors = try parts("SELECT author, \(figures) FROM (\(saves)) GROUP BY author")
        old = try parts("SELECT NULL, \(figures) FROM (\(saves)) WHERE time < \(start)")[0]
        // `Z_PRIMARYKEY` has the old name of an entity that a migration renamed.
        var names = Dictionary(firstOf: try store.primaryKeys().map { ($0.number, $0.name) })
        for entity in model.map({ NumberedModel(ModelGraph($0)).entities }) ?? [] {
            names[Int64(entity.number)] = entity.name
        }
        entities = try connection.rows(
            "SELECT c.ZENTITY, COUNT(DISTINCT c.ZTRANSACTIONID), COUNT(*), MIN(t.ZTIMESTAMP), "
                + "MAX(t.ZTIMESTAMP) FROM ACHANGE AS c LEFT JOIN ATRANSACTION AS t "
                + "ON t.Z_PK = c.ZTRANSACTIONID GROUP BY c.ZENTITY"
        ).map { row in
            var part = Part(row)
            part.name = row[0].integer.flatMap { names[$0] ?? "number \($0)" }
            return part
        }.sorted { ($0.name ?? "") < ($1.name ?? "") }
        let size = try store.setting("page_size")
        bytes = try store.historyPages().map { $0 * size }
    }

    /// The author of a transaction in SQL: in a table of strings, or with the transaction in older systems.
    private static func author(_ columns: Set<String>, _ hasStrings: Bool) -> String {
        let own = columns.contains("ZAUTHOR") ? "t.ZAUTHOR" : "NULL"
        guard hasStrings, columns.contains("ZAUTHORTS") else { return own }
        return "COALESCE((SELECT ZNAME FROM ATRANSACTIONSTRING WHERE Z_PK = t.ZAUTHORTS), \(own))"
    }
}

extension HistorySummary.Part {
    /// Takes a name, the counts, the first and the last time.
    fileprivate init(_ row: [SQLiteValue]) {
        func time(_ value: SQLiteValue) -> Double? {
            switch value {
            case .integer(let seconds): Double(seconds)
            case .real(let seconds): seconds
            case .null, .text, .blob: nil
            }
        }
        self.init(
            name: row[0].text,
            transactions: Int(clamping: row[1].integer ?? 0),
            changes: Int(clamping: row[2].integer ?? 0),
            first: time(row[3]),
            last: time(row[4])
        )
    }
}

extension StoreFile {
    /// Counts the pages of persistent history and its indexes; `nil` where this SQLite cannot.
    package func historyPages() throws(StoreError) -> Int? {
        let tables = try schema().filter(\.isHistoryTable).map { "'\($0.name)'" }
        guard !tables.isEmpty else { return 0 }
        let sql =
            "SELECT COUNT(*) FROM dbstat WHERE name IN "
            + "(SELECT name FROM sqlite_master WHERE tbl_name IN (\(tables.joined(separator: ", "))))"
        return (try? connection.value(sql))?.integer.map { Int(clamping: $0) }
    }

    /// Notes how to reclaim the space of history that takes at least half of the file, and at least a megabyte.
    func heavyHistory() throws(StoreError) -> [Diagnostic] {
        let size = try setting("page_size")
        let pages = try setting("page_count")
        guard pages * size > 1 << 20, let own = try historyPages(), own * size >= 1 << 20,
            2 * own > pages
        else { return [] }
        let bytes = (own * size).counted("byte")
        let wording: Wording =
            "persistent history takes \(bytes), \(100 * own / pages) % of the file; to remove what is older than 30 days, run repair with \(.advice(.pruneHistory(olderThanDays: 30))) and \(.advice(.compact))"
        return [Diagnostic("heavy-history", saying: wording, severity: .note)]
    }
}

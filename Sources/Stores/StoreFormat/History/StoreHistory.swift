package import SQLiteAccess

/// The persistent history of a store, read row by row: no more than one change is held at a time.
package struct StoreHistory {
    private let connection: SQLiteConnection
    private let changeColumns: [String]
    private let transactionColumns: Set<String>
    private let hasStrings: Bool
    /// The tables of history that are not there, though others are: their rows are lost.
    package let lostTables: [String]

    /// Finds the history of a store, or what is left of it; `nil` when the store keeps none.
    ///
    /// - Throws: ``StoreError`` when the schema cannot be read.
    package init?(of store: StoreFile) throws(StoreError) {
        connection = store.connection
        let tables = Set(try store.schema().filter(\.isHistoryTable).map(\.name))
        lostTables = ["ACHANGE", "ATRANSACTION"].filter { !tables.contains($0) }
        guard lostTables.count < 2 else { return nil }
        changeColumns = try connection.columns(of: "ACHANGE").map(\.name)
        transactionColumns = Set(try connection.columns(of: "ATRANSACTION").map(\.name))
        // A table that is not there has no columns.
        let stringColumns = Set(try connection.columns(of: "ATRANSACTIONSTRING").map(\.name))
        hasStrings = stringColumns.isSuperset(of: ["Z_PK", "ZNAME"])
        guard transactionColumns.contains("Z_PK") || lostTables.contains("ATRANSACTION"),
            changeColumns.contains("Z_PK") || lostTables.contains("ACHANGE")
        else { return nil }
    }

    /// About as many changes as there are, which no pass is needed for.
    package var changeEstimate: Int {
        let last = try? connection.value("SELECT max(Z_PK) FROM ACHANGE")
        return Int(clamping: last?.integer ?? 0)
    }

    /// Reads the history, transaction by transaction in the order of their keys, and the changes of each in the order of
    /// theirs.
    ///
    /// Changes whose transaction is gone come with a transaction that says so; a filter by time leaves them out, because
    /// theirs is unknown.
    ///
    /// - Parameters:
    ///   - filter: what is wanted.
    ///   - body: takes one piece after the other.
    /// - Throws: ``StoreError`` when the rows cannot be read, and what `body` throws.
    package func read(
        _ filter: HistoryFilter = HistoryFilter(),
        _ body: (HistoryEvent) throws(StoreError) -> Void
    ) throws(StoreError) {
        var first: Int64?
        if let since = filter.since {
            guard !lostTables.contains("ATRANSACTION") else { return }
            let sql = "SELECT min(t.Z_PK) FROM ATRANSACTION AS t WHERE \(column("ZTIMESTAMP")) >= ?"
            first = try connection.value(sql, [.real(since)])?.integer
            if first == nil { return }
        }
        let transactions = try Statement(transactionSQL(filter), on: connection)
        if let since = filter.since { try transactions.bind(since, at: 1) }
        let changes = try Statement(changeSQL(filter, from: first), on: connection)
        var merge = HistoryMerge(filter: filter, tombstones: tombstones, changes: changes)
        try merge.advance()
        while try transactions.step() {
            try merge.take(Self.transaction(transactions), body)
        }
        try merge.finish(body)
    }

    /// The columns that keep values of deleted objects, by number.
    private var tombstones: [String] {
        changeColumns.filter { $0.hasPrefix("ZTOMBSTONE") }
    }

    private func column(_ name: String) -> String {
        transactionColumns.contains(name) ? "t." + name : "NULL"
    }

    private func transactionSQL(_ filter: HistoryFilter) -> String {
        guard !lostTables.contains("ATRANSACTION") else {
            return "SELECT NULL, NULL, NULL, NULL, NULL, NULL WHERE 0"
        }
        var joins = ""
        let texts = ["AUTHOR", "CONTEXTNAME", "BUNDLEID", "PROCESSID"].map { name in
            let key = "Z\(name)TS"
            guard hasStrings, transactionColumns.contains(key) else { return column("Z" + name) }
            joins += " LEFT JOIN ATRANSACTIONSTRING AS \(name) ON \(name).Z_PK = t.\(key)"
            return "COALESCE(\(name).ZNAME, \(column("Z" + name)))"
        }
        let condition = filter.since == nil ? "" : " WHERE \(column("ZTIMESTAMP")) >= ?1"
        return "SELECT t.Z_PK, \(column("ZTIMESTAMP")), \(texts.joined(separator: ", ")) "
            + "FROM ATRANSACTION AS t\(joins)\(condition) ORDER BY t.Z_PK"
    }

    /// The greatest bitmap that is read in bytes: no table has as many columns.
    private static let bitmapLimit = 1024

    private func changeSQL(_ filter: HistoryFilter, from first: Int64?) -> String {
        func column(_ name: String) -> String {
            changeColumns.contains(name) ? name : "NULL"
        }
        var conditions: [String] = []
        if let first { conditions.append("\(column("ZTRANSACTIONID")) >= \(first)") }
        if let entities = filter.entities {
            let numbers = entities.sorted().map(\.description).joined(separator: ", ")
            conditions.append("\(column("ZENTITY")) IN (\(numbers))")
        }
        if let object = filter.object {
            conditions.append("\(column("ZENTITYPK")) = \(object)")
        }
        let condition = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
        let values =
            ["Z_PK"] + ["ZTRANSACTIONID", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK"].map(column)
            + ["substr(\(column("ZCOLUMNS")), 1, \(Self.bitmapLimit))"]
            + tombstones.map(quotedIdentifier)
        guard !lostTables.contains("ACHANGE") else {
            return "SELECT \(values.map { _ in "NULL" }.joined(separator: ", ")) WHERE 0"
        }
        return "SELECT \(values.joined(separator: ", ")) FROM ACHANGE\(condition) "
            + "ORDER BY \(column("ZTRANSACTIONID")), Z_PK"
    }

    private static func transaction(_ row: Statement) -> HistoryTransaction {
        let seconds: Double? =
            switch row.kind(1) {
            case .integer, .real: row.real(1)
            default: nil
            }
        return HistoryTransaction(
            key: row.integer(0),
            seconds: seconds,
            author: row.value(2).text,
            context: row.value(3).text,
            bundle: row.value(4).text,
            process: row.value(5).text
        )
    }
}

/// Two lists in the order of the keys of transactions, gone through side by side.
private struct HistoryMerge {
    let filter: HistoryFilter
    let tombstones: [String]
    let changes: Statement
    /// The transaction that the next change names; `nil` inside when it names none.
    private var next: Int64??
    /// The transaction whose absence was said last.
    private var missing: Int64??

    init(filter: HistoryFilter, tombstones: [String], changes: Statement) {
        (self.filter, self.tombstones, self.changes) = (filter, tombstones, changes)
    }

    /// Goes to the next change.
    mutating func advance() throws(StoreError) {
        guard try changes.step() else {
            next = nil
            return
        }
        next = .some(changes.kind(1) == .integer ? changes.integer(1) : nil)
    }

    /// Hands over a transaction with its changes, and before it those changes whose transaction is gone.
    mutating func take(
        _ transaction: HistoryTransaction,
        _ body: (HistoryEvent) throws(StoreError) -> Void
    ) throws(StoreError) {
        guard let key = transaction.key else { return }
        while let named = next, named.map({ $0 < key }) ?? true {
            try takeOrphan(of: named, body)
        }
        var isSaid = !filter.picksChanges
        if isSaid { try body(.transaction(transaction)) }
        while let named = next, named == key {
            if !isSaid { try body(.transaction(transaction)) }
            isSaid = true
            try body(.change(change))
            try advance()
        }
    }

    /// Hands over the changes that are left, whose transactions are gone.
    mutating func finish(
        _ body: (HistoryEvent) throws(StoreError) -> Void
    ) throws(StoreError) {
        while let named = next { try takeOrphan(of: named, body) }
    }

    private mutating func takeOrphan(
        of named: Int64?,
        _ body: (HistoryEvent) throws(StoreError) -> Void
    ) throws(StoreError) {
        // Behind a filter by time these may belong to earlier transactions.
        if filter.since == nil {
            if missing != .some(named) {
                missing = .some(named)
                try body(.transaction(HistoryTransaction(key: named, isMissing: true)))
            }
            try body(.change(change))
        }
        try advance()
    }

    private var change: HistoryChange {
        func integer(_ column: Int32) -> Int64? {
            changes.kind(column) == .integer ? changes.integer(column) : nil
        }
        let kind: HistoryChange.Kind =
            switch integer(2) {
            case 0: .insert
            case 1: .update
            case 2: .delete
            case let number: .unknown(number)
            }
        return HistoryChange(
            key: changes.integer(0),
            kind: kind,
            entity: integer(3),
            object: integer(4),
            bitmap: changes.value(5).blob,
            tombstone: tombstones.enumerated().compactMap { place, column in
                RecordedValue(changes.value(Int32(6 + place)))
                    .map { HistoryChange.Kept(column: column, value: $0) }
            }
        )
    }
}

import SQLiteAccess

extension MigrationCheck {
    /// What the check finds in a store.
    ///
    /// - Parameters:
    ///   - isBefore: whether no step has run yet.
    ///   - connection: the store.
    /// - Returns: the rows of the query, however they were found.
    /// - Throws: `StoreMigrationError` when the store cannot be read.
    func found(
        before isBefore: Bool,
        on connection: SQLiteConnection
    ) throws(StoreMigrationError) -> [[SQLiteValue]] {
        try storeErrors { () throws(StoreError) in
            if let entities, let rows = try entities.counts(before: isBefore, on: connection) {
                return rows
            }
            return try connection.rows(isBefore ? before : after)
        }
    }
}

extension MigrationCheck.EntityRows {
    /// The new numbers of the entities with their rows; `nil` where no index tells them.
    fileprivate func counts(
        before isBefore: Bool,
        on connection: SQLiteConnection
    ) throws(StoreError) -> [[SQLiteValue]]? {
        let counts = try connection.groupCounts(
            of: "Z_ENT",
            key: "Z_PK",
            in: isBefore ? before : after,
            atMost: numbers.count + 4
        )
        guard let counts else { return nil }
        guard isBefore else { return counts.map { [$0.value, .integer($0.count)] } }
        var sums: [SQLiteValue: Int64] = [:]
        for (value, count) in counts {
            let number = value.integer.flatMap { numbers[Int(clamping: $0)] }
            guard number != nil || keepsOthers else { continue }
            sums[number.map { .integer(Int64($0)) } ?? value, default: 0] += count
        }
        // NULL comes first, as SQLite has it; what is no number is left to the query.
        guard sums.keys.allSatisfy({ $0 == .null || $0.integer != nil }) else { return nil }
        return sums.sorted { ($0.key.integer ?? .min) < ($1.key.integer ?? .min) }
            .map { [$0.key, .integer($0.value)] }
    }
}

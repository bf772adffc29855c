extension SQLiteConnection {
    /// The conditions of one statement; SQLite takes 2000 columns, and its compile time grows with them.
    package static let countedConditions = 100

    /// Counts the rows that each of some conditions holds for; up to a hundred of them take one pass.
    ///
    /// - Parameters:
    ///   - conditions: the conditions in SQL.
    ///   - rows: what is looked at, as it stands behind FROM.
    /// - Returns: the counts, in the order of the conditions.
    /// - Throws: ``StoreError`` of SQLite.
    package func counts(
        of conditions: [String],
        in rows: String
    ) throws(StoreError) -> [Int] {
        var counts: [Int] = []
        for list in Self.countLists(conditions) {
            let row = try self.rows("SELECT \(list) FROM \(rows)").first ?? []
            counts += row.map { Int(clamping: $0.integer ?? 0) }
        }
        return counts
    }

    /// Counts the rows that each of some conditions holds for, by the integers that an expression has.
    ///
    /// - Parameters:
    ///   - conditions: the conditions in SQL.
    ///   - rows: what is looked at, as it stands behind FROM.
    ///   - key: the expression; rows for which it is no integer are left out.
    /// - Returns: the counts, in the order of the conditions.
    /// - Throws: ``StoreError`` of SQLite.
    package func counts(
        of conditions: [String],
        in rows: String,
        groupedBy key: String
    ) throws(StoreError) -> [Int64: [Int]] {
        var counts: [Int64: [Int]] = [:]
        for list in Self.countLists(conditions) {
            for row in try self.rows("SELECT \(key), \(list) FROM \(rows) GROUP BY \(key)") {
                guard let group = row[0].integer else { continue }
                counts[group, default: []] += row.dropFirst().map { Int(clamping: $0.integer ?? 0) }
            }
        }
        return counts
    }

    private static func countLists(_ conditions: [String]) -> [String] {
        stride(from: 0, to: conditions.count, by: countedConditions).map { start in
            conditions[start...].prefix(countedConditions)
                .map { "count(*) FILTER (WHERE \($0))" }.joined(separator: ", ")
        }
    }
}

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
        var rest = conditions[...]
        while !rest.isEmpty {
            let list = rest.prefix(Self.countedConditions).map {
                "count(CASE WHEN \($0) THEN 1 END)"
            }
            let row =
                try self.rows("SELECT \(list.joined(separator: ", ")) FROM \(rows)").first ?? []
            counts += row.map { Int(clamping: $0.integer ?? 0) }
            rest = rest.dropFirst(list.count)
        }
        return counts
    }
}

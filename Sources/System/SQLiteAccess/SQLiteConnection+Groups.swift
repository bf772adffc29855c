extension SQLiteConnection {
    /// The rows that have each value of a column, in the order of the values, as `GROUP BY` gives them.
    ///
    /// Where an index lists the values, each is found in it without reading the others, and its rows are counted in the
    /// index; the count of the most frequent value is the rest of all rows, which SQLite counts by pages. Returns `nil`
    /// where no index lists the values, where there are more than `most`, and where a pass costs less. `key` is the
    /// column of the keys of the rows.
    package func groupCounts(
        of column: String,
        key: String,
        in table: String,
        atMost most: Int
    ) throws(StoreError) -> [(value: SQLiteValue, count: Int64)]? {
        let values = try distinctValues(of: column, key: key, in: table, atMost: most)
        guard let values else { return nil }
        let from = "FROM \(quotedIdentifier(table))"
        let all = try value("SELECT count(*) \(from)")?.integer ?? 0
        let counting = try valueCounting(column, table)
        let frequent =
            values.count > 1
            ? try frequentValue(of: column, key: key, in: table, values) : values.first
        var counts: [(value: SQLiteValue, count: Int64)] = []
        var rest = all
        for value in [.null] + values {
            let count = value == frequent ? 0 : try counting(value)
            rest -= count
            counts.append((value, count))
        }
        if let place = counts.firstIndex(where: { $0.value == frequent }) {
            counts[place].count = rest
        }
        return counts.filter { $0.count != 0 }
    }

    /// The number of rows whose integer in a column is none of the `known` ones, or that have none.
    ///
    /// Returns `nil` if no index shows it, a pass costs less, or values are not integers. `key` is the column of keys.
    package func countOfRows(
        outside known: Set<Int>,
        of column: String,
        key: String,
        in table: String
    ) throws(StoreError) -> Int64? {
        // A few others are counted one by one; a table full of them is read completely.
        let most = known.count + 4
        let values = try distinctValues(of: column, key: key, in: table, atMost: most)
        guard let values, values.allSatisfy({ $0.integer != nil }) else { return nil }
        let counting = try valueCounting(column, table)
        var count = try counting(.null)
        for value in values {
            guard let number = value.integer, !known.contains(Int(clamping: number)) else {
                continue
            }
            count += try counting(value)
        }
        return count
    }

    /// The values of a column except NULL, in order; `nil` where no index lists them, or it does not pay.
    private func distinctValues(
        of column: String,
        key: String,
        in table: String,
        atMost most: Int
    ) throws(StoreError) -> [SQLiteValue]? {
        // Searching a value takes as long as scanning a hundred rows.
        guard let keys = try keyRange(key, of: table), keys.distance / 100 >= most,
            try hasIndex(on: column, of: table)
        else { return nil }
        let (name, from) = (quotedIdentifier(column), "FROM \(quotedIdentifier(table))")
        let order = "ORDER BY \(name) COLLATE BINARY LIMIT 1"
        let first = "SELECT \(name) \(from) WHERE \(name) IS NOT NULL \(order)"
        let next = try Statement(
            "SELECT \(name) \(from) WHERE \(name) COLLATE BINARY > ?1 \(order)",
            on: self
        )
        var values: [SQLiteValue] = []
        var found = try value(first)
        while let value = found {
            guard values.count < most else { return nil }
            values.append(value)
            found = nil
            try next.run([value]) { row throws(StoreError) in found = row[0] }
        }
        return values
    }

    /// Whether an index lists all rows of a table by the values of a column, with the same collation.
    private func hasIndex(on column: String, of table: String) throws(StoreError) -> Bool {
        try value(
            """
            SELECT 1 FROM pragma_index_list(?1) AS i, pragma_index_xinfo(i.name) AS c \
            WHERE i.partial = 0 AND c.seqno = 0 AND c.name = ?2 AND c.coll = 'BINARY' LIMIT 1
            """,
            [.text(table), .text(column)]
        ) != nil
    }

    private func valueCounting(
        _ column: String,
        _ table: String
    ) throws(StoreError) -> (SQLiteValue) throws(StoreError) -> Int64 {
        let counting = try Statement(
            "SELECT count(*) FROM \(quotedIdentifier(table)) "
                + "WHERE \(quotedIdentifier(column)) COLLATE BINARY IS ?1",
            on: self
        )
        return { value throws(StoreError) in
            var count: Int64 = 0
            try counting.run([value]) { row throws(StoreError) in count = row[0].integer ?? 0 }
            return count
        }
    }

    /// The most frequent value in a sample of rows from all over a table.
    private func frequentValue(
        of column: String,
        key: String,
        in table: String,
        _ values: [SQLiteValue]
    ) throws(StoreError) -> SQLiteValue? {
        let (name, from) = (quotedIdentifier(key), "FROM \(quotedIdentifier(table))")
        guard let keys = try keyRange(key, of: table) else { return values.first }
        let sample = try Statement(
            "SELECT \(quotedIdentifier(column)) \(from) WHERE \(name) >= ?1 ORDER BY \(name) LIMIT 1",
            on: self
        )
        let places: UInt64 = 16
        let step = keys.distance / places
        var counts: [SQLiteValue: Int] = [:]
        for place in 0..<places {
            let key = keys.low &+ Int64(bitPattern: step * place)
            try sample.run([.integer(key)]) { row throws(StoreError) in
                counts[row[0], default: 0] += 1
            }
        }
        return values.max { counts[$0, default: 0] < counts[$1, default: 0] }
    }

    /// The least key of a table, and the distance of the greatest, which may overflow an integer.
    private func keyRange(
        _ key: String,
        of table: String
    ) throws(StoreError) -> (low: Int64, distance: UInt64)? {
        let (name, from) = (quotedIdentifier(key), "FROM \(quotedIdentifier(table))")
        // Asked for both at once, SQLite would read all keys.
        let ends = try rows("SELECT (SELECT min(\(name)) \(from)), (SELECT max(\(name)) \(from))")
        guard let low = ends.first?[0].integer, let high = ends.first?[1].integer else {
            return nil
        }
        return (low, UInt64(bitPattern: high &- low))
    }
}

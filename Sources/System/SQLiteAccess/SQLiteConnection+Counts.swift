import CSQLite

extension SQLiteConnection {
    /// The conditions of one statement; SQLite takes 2000 columns, and its compile time grows with them.
    package static let countedConditions = 100

    /// Counts the rows that meet each of some SQL conditions, in their order; up to a hundred of them take one pass.
    ///
    /// `rows` is what follows FROM.
    package func counts(of conditions: [String], in rows: String) throws(StoreError) -> [Int] {
        var counts: [Int] = []
        for list in Self.countLists(conditions) {
            let row = try self.rows("SELECT \(list) FROM \(rows)").first ?? []
            counts += row.map { Int(clamping: $0.integer ?? 0) }
        }
        return counts
    }

    /// Counts the rows that meet each of some SQL conditions, by an expression's integer values, in the order of both.
    ///
    /// One pass over the rows in storage order, for any number of groups: `GROUP BY` would sort them, or look up each in an
    /// index. `rows` is what follows FROM; rows whose `key` is in none of the groups are left out.
    package func counts(
        of conditions: [String],
        in rows: String,
        groupedBy key: String,
        among groups: ClosedRange<Int>
    ) throws(StoreError) -> [Int: [Int]] {
        var counts: [Int: [Int]] = [:]
        for start in stride(from: 0, to: conditions.count, by: Self.countedArguments) {
            let list = conditions[start...].prefix(Self.countedArguments)
            var counter = GroupCounter(groups, conditions: list.count)
            defer { counter.counts.deallocate() }
            try withUnsafeMutablePointer(to: &counter) { pointer throws(StoreError) in
                try register(pointer)
                // In any case: afterwards the counter no longer exists.
                defer { try? register(nil) }
                let arguments = ([key] + list.map { "(\($0))" }).joined(separator: ", ")
                try execute("SELECT \(GroupCounter.name)(\(arguments)) FROM \(rows)")
            }
            for (group, found) in zip(groups, counter.found) { counts[group, default: []] += found }
        }
        return counts
    }

    /// The conditions of one call; a function has up to a hundred arguments.
    private static let countedArguments = 90

    /// Registers the aggregate for a counter; `nil` removes it.
    private func register(_ counter: UnsafeMutablePointer<GroupCounter>?) throws(StoreError) {
        let code = sqlite3_create_function_v2(
            handle,
            GroupCounter.name,
            -1,
            SQLITE_UTF8 | SQLITE_DIRECTONLY,
            counter,
            nil,
            counter == nil ? nil : GroupCounter.step,
            counter == nil ? nil : { context in sqlite3_result_null(context) },
            nil
        )
        try check(code, GroupCounter.name)
    }

    private static func countLists(_ conditions: [String]) -> [String] {
        stride(from: 0, to: conditions.count, by: countedConditions).map { start in
            conditions[start...].prefix(countedConditions)
                .map { "count(*) FILTER (WHERE \($0))" }.joined(separator: ", ")
        }
    }
}

/// Counts of rows by group and condition; a class would be reference-counted for each row.
private struct GroupCounter {
    static let name = "momtool_group_counts"

    let first: Int64
    let groups: Int
    let conditions: Int
    /// The counts of all conditions for the first group, then for the next one.
    let counts: UnsafeMutablePointer<Int>

    init(_ range: ClosedRange<Int>, conditions: Int) {
        first = Int64(range.lowerBound)
        groups = range.count
        self.conditions = conditions
        counts = .allocate(capacity: max(1, groups * conditions))
        counts.initialize(repeating: 0, count: max(1, groups * conditions))
    }

    var found: [[Int]] {
        (0..<groups).map { group in (0..<conditions).map { counts[group * conditions + $0] } }
    }

    /// Takes one row: the group, then whether each condition holds.
    static let step: SQLFunction = { context, _, values in
        guard let values, let data = sqlite3_user_data(context),
            sqlite3_value_type(values[0]) == SQLITE_INTEGER
        else { return }
        let counter = data.assumingMemoryBound(to: GroupCounter.self).pointee
        let group = sqlite3_value_int64(values[0]) &- counter.first
        guard group >= 0, group < counter.groups else { return }
        let start = Int(group) * counter.conditions
        // Numbers other than 0 are true, as in a condition of SQL.
        for place in 0..<counter.conditions where sqlite3_value_double(values[place + 1]) != 0 {
            counter.counts[start + place] += 1
        }
    }
}

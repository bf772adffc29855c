import MigrationPlanning
import SQLiteAccess
package import StoreFormat

extension MigrationCheck {
    func foundBefore(on connection: SQLiteConnection) throws(StoreError) -> [[SQLiteValue]] {
        if let counts = try entities?.counts(before: true, on: connection) { return counts }
        return try connection.rows(before)
    }

    /// What the check finds in a store when all steps have run, by `rows` that they have written to each table.
    func foundAfter(
        writing rows: [String: Int],
        on connection: SQLiteConnection
    ) throws(StoreError) -> [[SQLiteValue]] {
        if let counts = try entities?.counts(before: false, on: connection) { return counts }
        let found = try connection.rows(after)
        guard let written else { return found }
        let count = SQLiteValue.integer(Int64(rows[written] ?? 0))
        return found == [[count]] ? found : found + [[count]]
    }
}

extension ProgramStep {
    /// The table all of whose rows the step writes.
    var writtenTable: String? {
        switch action {
        case .rows(.update(let table, _, numbers: nil)): table
        case .rows(.copy(_, let table, _, _)): table.name
        case .rows, .schema, .policies: nil
        }
    }

    /// The table whose rows the step reads, or writes without counting them.
    var passedTable: String? {
        switch action {
        case .schema(.dropColumn(_, let table)): table
        case .schema(.createIndex(let index)): index.table
        case .rows, .schema, .policies: nil
        }
    }
}

extension MigrationProgram {
    /// The tables whose rows get new values in place.
    var updatedTables: Set<String> {
        Set(
            steps.compactMap { step in
                if case .rows(.update(let table, _, _)) = step.action { table } else { nil }
            }
        )
    }
}

extension SQLiteConnection {
    /// About how many rows a table has: its greatest key, which needs no pass.
    func mostRows(of table: String) throws(StoreError) -> Int {
        let sql = "SELECT max(Z_PK) FROM \(quotedIdentifier(table))"
        return Int(clamping: max(0, try value(sql)?.integer ?? 0))
    }
}

extension MigrationCheck.EntityRows {
    /// The new numbers of the entities with their rows; `nil` where no index gives them.
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
        // NULL comes first, as in SQLite; the query handles values that are not numbers.
        guard sums.keys.allSatisfy({ $0 == .null || $0.integer != nil }) else { return nil }
        return sums.sorted { ($0.key.integer ?? .min) < ($1.key.integer ?? .min) }
            .map { [$0.key, .integer($0.value)] }
    }
}

extension Migration {
    /// Finds the rows of the store that prevent the migration, or would lose something.
    ///
    /// A single inferred step queries the store itself. Other steps run on a throwaway copy, as each reads the result
    /// of the previous one; `options` limits and reports these. `progress` gets the numbers of answered questions and
    /// of all, for a single step. The findings may be fatal or not.
    package func findings(
        in store: StoreFile,
        options: MigrationOptions = MigrationOptions(),
        progress: ((_ done: Int, _ total: Int) -> Void)? = nil
    ) throws(StoreMigrationError) -> [RowFinding] {
        if let step = directStep {
            _ = try storeErrors(ExternalForm.register(on: store.connection, of: store.path))
            let deadline = ScriptDeadline(options.cancellation)
            let title = "the checks of the rows"
            try deadline.check(title)
            return try deadline.during(title) { () throws(StoreMigrationError) in
                try abandonedFindings
                    + rowFindings(
                        of: step.questions,
                        on: store.connection,
                        stoppingWhen: { deadline.hasPassed },
                        progress
                    )
            }
        }
        guard !steps.isEmpty else { return [] }
        var options = options
        options.acceptsLosses = .all
        do throws(StoreMigrationError) {
            return try rehearse(store.path, options, nil)
        } catch .rows(let findings) { return findings }
    }
}

import SQLiteAccess

/// Finds the rows of a store that prevent a step, or would lose something.
///
/// `shallStop` is called now and then, and `true` interrupts the statement. It and `progress` replace the connection's
/// handler while statements run; `progress` gets the numbers of answered questions and of all.
func rowFindings(
    of questions: [RowQuestion],
    on connection: SQLiteConnection,
    stoppingWhen shallStop: (() -> Bool)? = nil,
    _ progress: ((_ done: Int, _ total: Int) -> Void)? = nil
) throws(StoreMigrationError) -> [RowFinding] {
    try storeErrors { () throws(StoreError) in
        try connection.withProgress(progress, of: questions.count, stoppingWhen: shallStop) {
            (isDone) throws(StoreError) -> [RowFinding] in
            var findings: [RowFinding] = []
            let counts = try answers(to: questions, on: connection, isDone)
            for (question, count) in zip(questions, counts) where count > 0 {
                let keys = try connection.rows(question.examplesSQL).compactMap(\.first?.integer)
                findings.append(RowFinding(question, count: Int(clamping: count), examples: keys))
            }
            return findings
        }
    }
}

/// Counts what questions ask for; several questions about one table share a pass over its rows.
private func answers(
    to questions: [RowQuestion],
    on connection: SQLiteConnection,
    _ isDone: (Int) -> Void
) throws(StoreError) -> [Int64] {
    var counts = [Int64](repeating: 0, count: questions.count)
    var done = 0
    var places: [Pass: [Int]] = [:]
    let sizes = entityCounts(questions)
    for (place, question) in questions.enumerated() {
        // An index may give the rows without a known entity without a pass.
        if let rows = question.rows, let known = rows.known,
            let count = try connection.countOfRows(
                outside: known,
                of: "Z_ENT",
                key: "Z_PK",
                in: rows.table
            )
        {
            counts[place] = count
            done += 1
            isDone(done)
        } else if let rows = question.rows {
            let isGrouped = rows.entity != nil && sizes[rows.table, default: 0] > comparedEntities
            places[Pass(table: rows.table, isGrouped: isGrouped), default: []].append(place)
        } else {
            counts[place] = try connection.value(question.sql)?.integer ?? 0
            done += 1
            isDone(done)
        }
    }
    for (pass, places) in places {
        defer {
            done += places.count
            isDone(done)
        }
        // An index may answer a single one.
        guard places.count > 1 else {
            counts[places[0]] = try connection.value(questions[places[0]].sql)?.integer ?? 0
            continue
        }
        let rows = places.compactMap { questions[$0].rows }
        let table = "\(quotedIdentifier(pass.table)) AS s"
        let found =
            pass.isGrouped
            ? try groupedCounts(of: rows, in: table, on: connection)
            : try connection.counts(of: rows.map(\.test), in: table)
        for (place, count) in zip(places, found) { counts[place] = Int64(count) }
    }
    return counts
}

private struct Pass: Hashable {
    var table: String
    /// Whether rows are counted by entity, so that no row is compared with each entity.
    var isGrouped: Bool
}

/// With more entities in one table, grouping its rows costs less than comparing each with all numbers.
private let comparedEntities = 4

/// The greatest range of entity numbers that are counted at once: each number in it has a counter.
private let groupedNumbers = 100_000

private func entityCounts(_ questions: [RowQuestion]) -> [String: Int] {
    var numbers: [String: Set<Int>] = [:]
    for rows in questions.compactMap(\.rows) {
        if let entity = rows.entity { numbers[rows.table, default: []].insert(entity) }
    }
    return numbers.mapValues(\.count)
}

/// Counts rows by entity; a condition that several entities share is evaluated once.
private func groupedCounts(
    of rows: [RowQuestion.CountedRows],
    in table: String,
    on connection: SQLiteConnection
) throws(StoreError) -> [Int] {
    let numbers = rows.compactMap(\.entity)
    guard let first = numbers.min(), let last = numbers.max() else { return rows.map { _ in 0 } }
    let (distance, isTooFar) = last.subtractingReportingOverflow(first)
    guard !isTooFar, distance < groupedNumbers else {
        return try connection.counts(of: rows.map(\.test), in: table)
    }
    let conditions = Array(Set(rows.map(\.condition)))
    let counts = try connection.counts(
        of: conditions,
        in: table,
        groupedBy: "s.Z_ENT",
        among: first...last
    )
    let columns = Dictionary(uniqueKeysWithValues: zip(conditions, conditions.indices))
    return rows.map { row in
        guard let entity = row.entity, let column = columns[row.condition] else { return 0 }
        return counts[entity]?[column] ?? 0
    }
}

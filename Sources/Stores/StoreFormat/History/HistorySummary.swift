/// How much happened in a store's history: in all, by day and by entity.
package struct HistorySummary: Sendable, Hashable {
    /// Counts of transactions and changes.
    package struct Counts: Sendable, Hashable {
        /// The transactions.
        package var transactions = 0
        /// The objects inserted.
        package var inserts = 0
        /// The updates.
        package var updates = 0
        /// The objects deleted.
        package var deletions = 0
        /// The changes of a kind that momtool does not know.
        package var unknown = 0

        /// All changes.
        package var changes: Int { inserts + updates + deletions + unknown }

        fileprivate mutating func add(_ kind: HistoryChange.Kind) {
            switch kind {
            case .insert: inserts += 1
            case .update: updates += 1
            case .delete: deletions += 1
            case .unknown: unknown += 1
            }
        }
    }

    /// The counts of all.
    package private(set) var total = Counts()
    /// The counts by day in UTC, such as `2024-02-29`; `nil` for transactions whose time is missing or out of range.
    package private(set) var days: [String?: Counts] = [:]
    /// The counts by the number of the entity; `nil` for numbers that are none of the known ones.
    package private(set) var entities: [Int64?: Counts] = [:]
    /// The transactions that changes name and that are gone.
    package private(set) var missing = 0
    /// Whether an update was seen, of which the bits alone are known.
    package private(set) var hasBitmaps = false
    private var day: String?

    /// Creates an empty summary.
    package init() {}

    /// Counts a piece of history.
    ///
    /// - Parameters:
    ///   - event: the piece.
    ///   - names: the entities that are told apart; damaged rows may hold any number.
    package mutating func add(_ event: HistoryEvent, _ names: HistoryNames) {
        switch event {
        case .transaction(let transaction):
            day = transaction.seconds.flatMap(StoredDate.text).map { String($0.prefix(10)) }
            guard !transaction.isMissing else {
                missing += 1
                return
            }
            total.transactions += 1
            days[day, default: Counts()].transactions += 1
        case .change(let change):
            if change.bitmap != nil { hasBitmaps = true }
            total.add(change.kind)
            days[day, default: Counts()].add(change.kind)
            let number = change.entity.flatMap { names.entity($0) == nil ? nil : $0 }
            entities[number, default: Counts()].add(change.kind)
        }
    }
}

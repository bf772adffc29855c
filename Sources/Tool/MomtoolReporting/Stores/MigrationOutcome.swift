import Essentials
import ObjectModel
package import StoreMigration

/// What came of the migration of one store, as `momtool migrate --format json` gives it.
package struct MigrationOutcome: Sendable, Encodable {
    /// The command in whose journal it is; absent in reports.
    package var command: String?
    /// The path of the store.
    package var store: String
    /// The path of the result; absent when the store was changed where it is, or not at all.
    package var result: String?
    /// How it ended: `migrated`; `done`, where the result was there before and is left alone; `refused` before anything
    /// was written; or `failed` with the store as it was.
    ///
    /// Journals of other commands have `repaired` and `sound`, `exported`, `identified` and `unknown`, `healthy` and `ill`.
    package var status: String
    /// The version that the store had; absent where it is not known.
    package var from: String?
    /// The version that it got or should get.
    package var to: String?
    /// What was wrong with the store before; absent where that was not asked for.
    package var damage: [MigrationReport.DamageLine]?
    /// What was lost as agreed, or would be lost without agreement.
    package var losses: [MigrationReport.LossLine]
    /// What is wrong, or may be.
    package var messages: [String]
    /// What happened to each table: in all steps, one after the other.
    package var tables: [MigrationReport.TableLine]?
    /// The steps that were taken; empty where there was nothing to do.
    package var steps: [StagedPlanReport.Step]?
    /// One line that says it.
    package var summary: String

    /// Creates the outcome of a migration.
    ///
    /// - Parameters:
    ///   - migration: the migration, which was run.
    ///   - store: the path of the store.
    ///   - result: the path of the new file; `nil` when the store was changed where it is.
    ///   - losses: what was lost, as agreed.
    ///   - messages: what is wrong, or may be.
    package init(
        of migration: Migration,
        on store: String,
        to result: String?,
        losses: [RowFinding],
        messages: [String] = []
    ) {
        self.store = store
        self.result = result
        status = "migrated"
        var reports = MigrationReport.reports(of: migration, store: store, findings: losses)
        (from, to) = (migration.source?.name, migration.destination?.name)
        tables = reports.flatMap { $0.tables ?? [] }
        steps = migration.route.steps.map { StagedPlanReport.Step($0, migration.route.manager) }
        self.losses = losses.filter(\.isLoss).map(MigrationReport.LossLine.init)
        self.messages = messages
        if migration.route.isDirect || migration.route.steps.isEmpty, !reports.isEmpty {
            reports[0].result = result
            summary = reports[0].summary
            return
        }
        // As they were counted while they ran.
        let count = migration.route.stageCount
        let end = count == 0 ? "nothing to do" : "\(count.counted("stage")) to \(to ?? "")"
        let place = result ?? "place"
        summary = "\(store): \(end) in \(place)\(MigrationReport.text(of: losses))"
    }

    /// Creates the outcome of a store whose result an earlier run left, which stays as it is.
    package init(done store: String, in result: String?, from: String?, to: String?) {
        (self.store, self.result, self.from, self.to) = (store, result, from, to)
        status = "done"
        (losses, messages) = ([], [])
        summary = "\(store): done before\(result.map { " in \($0)" } ?? "")"
    }

    /// The outcome as JSON in one line, for a journal.
    package var line: String { json(self, isPretty: false) }

    /// Creates the outcome of other work on a store than a migration.
    ///
    /// - Parameters:
    ///   - status: how it ended, in a word.
    ///   - store: the path of the store.
    ///   - result: the path of what was written; `nil` for nothing.
    ///   - summary: one line that says it.
    ///   - messages: what is wrong.
    package init(
        _ status: String,
        of store: String,
        in result: String? = nil,
        summary: String,
        messages: [String] = []
    ) {
        (self.status, self.store, self.result) = (status, store, result)
        (self.summary, self.messages) = (summary, messages)
        losses = []
    }

    /// Adds what was wrong with the store before.
    package mutating func add(_ damage: [StoreDamage]) {
        self.damage = damage.map(MigrationReport.DamageLine.init)
    }

    /// Creates the outcome of a store that stays as it is.
    package init(store: String, isRefused: Bool, messages: [String], losses: [RowFinding]) {
        self.store = store
        status = isRefused ? "refused" : "failed"
        self.messages = messages
        self.losses = losses.filter(\.isLoss).map(MigrationReport.LossLine.init)
        summary = messages.first ?? "\(store): \(status)"
    }
}

/// How many stores ended in each way.
package struct OutcomeCounts: Sendable {
    private var counts: [String: Int] = [:]
    private var all = 0

    /// Begins with no store.
    package init() {}

    /// Counts a store.
    package mutating func add(_ outcome: MigrationOutcome) {
        counts[outcome.status, default: 0] += 1
        all += 1
    }

    /// The number of stores that ended in a way.
    package subscript(status: String) -> Int { counts[status] ?? 0 }

    /// The numbers in words, such as `3 of 5 stores migrated, 1 done before`.
    package func words(for status: String) -> String {
        let others = [("sound", "with nothing to repair"), ("done", "done before")].map {
            self[$0.0] == 0 ? "" : ", \(self[$0.0]) \($0.1)"
        }
        return "\(self[status]) of \(all.counted("store")) \(status)\(others.joined())"
    }
}

/// The outcomes of all stores that a command was given.
package struct MigrationOutcomes: Sendable, Encodable, Rendering {
    /// The outcomes, in the order of the arguments.
    package var stores: [MigrationOutcome]

    package init(_ stores: [MigrationOutcome]) {
        self.stores = stores
    }

    /// Writes the report.
    package func rendered(as format: ReportFormat) -> String {
        format == .json ? json(self) : textLines(stores.map(\.summary))
    }
}

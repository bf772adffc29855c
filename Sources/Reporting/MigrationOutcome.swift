import Essentials
import ObjectModel
package import StoreMigration

/// What came of the migration of one store, as `momtool migrate --format json` gives it.
package struct MigrationOutcome: Sendable, Codable {
    /// The path of the store.
    package var store: String
    /// The path of the result; absent when the store was changed where it is, or not at all.
    package var result: String?
    /// How it ended: `migrated`, `refused` before anything was written, or `failed` with the store as it was.
    package var status: String
    /// The version that the store had; absent where it is not known.
    package var from: String?
    /// The version that it got or should get.
    package var to: String?
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
        let count = migration.route.steps.count
        let end = count == 0 ? "nothing to do" : "\(count.counted("step")) to \(to ?? "")"
        let place = result ?? "place"
        let gone = migration.abandoned.map { "; \($0)" }.joined()
        summary = "\(store): \(end) in \(place)\(MigrationReport.text(of: losses))\(gone)"
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

/// The outcomes of all stores that a command was given.
package struct MigrationOutcomes: Sendable, Codable, Rendering {
    /// The outcomes, in the order of the arguments.
    package var stores: [MigrationOutcome]

    /// Creates a report.
    package init(_ stores: [MigrationOutcome]) {
        self.stores = stores
    }

    /// Writes the report.
    package func rendered(as format: ReportFormat) -> String {
        format == .json ? json(self) : stores.map(\.summary).joined(separator: "\n")
    }
}

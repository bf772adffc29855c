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
    /// What happened to each table; absent where several steps were taken.
    package var tables: [MigrationReport.TableLine]?
    /// One line that says it.
    package var summary: String

    /// Creates the outcome of a migration.
    package init(
        migrated store: String,
        to result: String?,
        summary: String,
        losses: [RowFinding],
        messages: [String] = [],
        report: MigrationReport? = nil
    ) {
        self.store = store
        self.result = result
        status = "migrated"
        (from, to, tables) = (report?.from, report?.to, report?.tables)
        self.losses = losses.filter(\.isLoss).map(MigrationReport.LossLine.init)
        self.messages = messages
        self.summary = summary
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

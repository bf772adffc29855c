public import StoreMigration

/// What came of the migration of one store, as `momtool migrate --format json` gives it.
public struct MigrationOutcome: Sendable, Codable {
    /// The path of the store.
    public var store: String
    /// The path of the result; absent when the store was changed where it is, or not at all.
    public var result: String?
    /// How it ended: `migrated`, `refused` before anything was written, or `failed` with the store as it was.
    public var status: String
    /// The version that the store had; absent where it is not known.
    public var from: String?
    /// The version that it got or should get.
    public var to: String?
    /// What was lost as agreed, or would be lost without agreement.
    public var losses: [MigrationReport.LossLine]
    /// What is wrong, or may be.
    public var messages: [String]
    /// What happened to each table; absent where several steps were taken.
    public var tables: [MigrationReport.TableLine]?
    /// One line that says it.
    public var summary: String

    /// Creates the outcome of a migration.
    public init(
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
    public init(store: String, isRefused: Bool, messages: [String], losses: [RowFinding]) {
        self.store = store
        status = isRefused ? "refused" : "failed"
        self.messages = messages
        self.losses = losses.filter(\.isLoss).map(MigrationReport.LossLine.init)
        summary = messages.first ?? "\(store): \(status)"
    }
}

/// The outcomes of all stores that a command was given.
public struct MigrationOutcomes: Sendable, Codable, Rendering {
    /// The outcomes, in the order of the arguments.
    public var stores: [MigrationOutcome]

    /// Creates a report.
    public init(_ stores: [MigrationOutcome]) {
        self.stores = stores
    }

    /// Writes the report.
    public func rendered(as format: ReportFormat) -> String {
        format == .json ? json(self) : stores.map(\.summary).joined(separator: "\n")
    }
}

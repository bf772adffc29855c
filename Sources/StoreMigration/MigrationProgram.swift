public import StoreFormat

/// One statement of a migration, and what it is for.
public struct MigrationStep: Sendable, Hashable {
    /// What the time of a step grows with.
    public enum Effort: String, Sendable, Hashable {
        /// The schema alone is changed: the time does not grow with the rows.
        case schema
        /// Rows are read or written.
        case rows
    }

    /// What the step does, as `add ZCITY to ZPERSON`.
    public var purpose: String
    /// What its time grows with.
    public var effort: Effort
    /// The statement.
    public var sql: String

    init(_ purpose: String, _ effort: Effort = .schema, _ sql: String) {
        self.purpose = purpose
        self.effort = effort
        self.sql = sql
    }
}

/// Two queries of one row each, whose values must be equal: one before all steps, one after them.
public struct MigrationCheck: Sendable, Hashable {
    /// What is compared, as `rows and links of ZPERSON`.
    public var subject: String
    /// The query that runs before the first step.
    public var before: String
    /// The query that runs after the last step.
    public var after: String
}

/// How the rows of a table come to the new version.
public enum TableTreatment: String, Sendable, Hashable, CaseIterable {
    /// The table is new, and empty.
    case create
    /// The table stays as it is.
    case keep
    /// The schema of the table changes; its rows stay where they are.
    case alter
    /// Rows are changed where they are, in one pass.
    case update
    /// Rows are copied into a new table, in one pass.
    case rebuild
    /// The table goes, and its rows with it.
    case drop
}

/// What happens to one table.
public struct TableChange: Sendable, Hashable {
    /// The name: the new one of a table that goes on, the old one of a table that goes.
    public var table: String
    /// What happens to it.
    public var treatment: TableTreatment
}

/// Everything that a migration does to a store, in order; it can be read, printed and tested without one.
public struct MigrationProgram: Sendable, Hashable {
    /// What happens to each table: new ones, dropped ones, those that go on, join tables.
    public internal(set) var changes: [TableChange] = []
    /// The statements, in order; they run in one transaction.
    public internal(set) var steps: [MigrationStep] = []
    /// What must be the same before and after.
    public internal(set) var checks: [MigrationCheck] = []
    /// The layout that comes out.
    public internal(set) var layout: StoreLayout

    init(layout: StoreLayout) {
        self.layout = layout
    }
}
